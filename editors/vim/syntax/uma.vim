" Syntax of descriptions of accelerators.
if exists("b:current_syntax")
  finish
endif
syn match umaNumber "\<\d\+\(\.\d\+\)\?\([eE][-+]\?\d\+\)\?\>"
syn match umaItem "\(^\|[{;]\)\s*\zs\(accelerator\|attribute\|await\|constant\|engine\|epilogue\|include\|init\|instruction\|keep_off\|launch\|layers\|layout\|link\|memory\|merge_compiler_regions\|model\|pass\|pattern\|pin\|prologue\|region\|replace\|script\|strategy\|tokens\|transfer\|version\)\>"
syn match umaStatement "\(^\|[{;]\)\s*\zs\(call\|code\|configure\|cost\|lower\|place\|require\|return\|scratch\|split\|tile\)\>"
syn keyword umaType bf16 f16 f32 f64 i1 i8 i16 i32 i64 u8
syn keyword umaConstant any same outside true false
syn keyword umaWord optional const as by in on plevel
syn region umaString start=+"+ skip=+\\.+ end=+"+ oneline
syn match umaComment "#.*$"
hi def link umaNumber Number
hi def link umaItem Keyword
hi def link umaStatement Statement
hi def link umaType Type
hi def link umaConstant Constant
hi def link umaWord Keyword
hi def link umaString String
hi def link umaComment Comment
let b:current_syntax = "uma"
