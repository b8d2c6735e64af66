# Completion of uma in fish. `uma __complete` knows the words; see tools/uma/Completion.h.
function __uma_complete
    set -l words (commandline -opc)
    set -l program $words[1]
    set -e words[1]
    set -l current (commandline -ct)
    for line in ($program __complete $words "$current" 2>/dev/null)
        set -l parts (string split -m 1 \t -- $line)
        if not string match -q ':*' -- $line
            echo $line
            continue
        end
        # The part of the word that is kept, and the rest of it.
        set -l prefix "$parts[2]"
        set -l rest (string sub -s (math (string length -- "$prefix") + 1) -- "$current")
        set -l found
        switch $parts[1]
            case ':files'
                set found (__fish_complete_path "$rest")
            case ':folders'
                set found (__fish_complete_directories "$rest")
            case ':programs'
                set found (__fish_complete_command)
        end
        for text in $found
            echo $prefix$text
        end
    end
end
complete -c uma -f -a '(__uma_complete)'
