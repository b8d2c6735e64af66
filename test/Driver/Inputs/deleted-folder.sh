# Commands in a folder that was deleted, and their exit codes; for deleted-folder.test.
cd "$1/gone"
rmdir "$PWD"
uma explain tiny.mlir; echo $?
uma compile "$1/tiny.mlir" -o out; echo $?
uma run "$1/tiny.mlir"; echo $?
uma compile "$1/tiny.mlir" -a vanilla -o "$1/out"; echo $?
