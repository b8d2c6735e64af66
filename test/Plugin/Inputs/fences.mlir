uma.tir.func @f() {
  mydev.fence
  mydev.fence
}
