autocmd BufRead,BufNewFile *.uma setfiletype uma
