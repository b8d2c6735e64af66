# Completion of uma in fish. `uma __complete` knows the words; see tools/uma/Completion.h.
function __uma_complete
    set -l words (commandline -opc)
    set -l program $words[1]
    set -e words[1]
    set -l current (commandline -ct)
    for line in ($program __complete $words "$current" 2>/dev/null)
        set -l parts (string split -m 1 \t -- $line)
        set -l rest (string sub -s (math (string length -- "$parts[2]") + 1) -- "$current")
        switch $parts[1]
            case ':files'
                __fish_complete_path "$rest" | string replace -r '^' -- (string escape --style=regex -- "$parts[2]" | string replace -a '\\' '')
            case ':folders'
                __fish_complete_directories "$rest" | string replace -r '^' -- "$parts[2]"
            case ':programs'
                __fish_complete_command | string replace -r '^' -- "$parts[2]"
            case ':*'
            case '*'
                echo $line
        end
    end
end
complete -c uma -f -a '(__uma_complete)'
