// strawberry_sram.v - An on-chip memory
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
// A static RAM with a read and a write port on the array's side. Data is read one cycle after its address. A word that
// is read and written in the same cycle is read as it was. The port of the DMA engine is not in the Verilog: its model
// in C accesses `words` directly, between commands.

module strawberry_sram #(
    parameter WIDTH = 128,
    parameter ADDRESS_BITS = 16
) (
    input wire clock,
    input wire [ADDRESS_BITS-1:0] read_address,
    output reg [WIDTH-1:0] read_data,
    input wire write,
    input wire [ADDRESS_BITS-1:0] write_address,
    input wire [WIDTH-1:0] write_data
);
  // Public, so that it is a member of the C++ model.
  reg [WIDTH-1:0] words[0:(1 << ADDRESS_BITS) - 1]  /* verilator public_flat */;

  always @(posedge clock) begin
    read_data <= words[read_address];
    if (write) words[write_address] <= write_data;
  end
endmodule
