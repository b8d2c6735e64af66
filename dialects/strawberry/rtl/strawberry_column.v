// strawberry_column.v - One column of the array
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
// Multiplies 16 input channels by the 16 weights of one output channel and adds the products in a pipelined tree:
//
//   cycle 0     `differences` and `weights` hold a pixel and its weights
//   cycle 1     products
//   cycle 2-5   sums of 2, 4, 8 and 16 products
//
// The weights are stored twice: the next ones are written row by row while pixels stream past the current ones.

module strawberry_column (
    input wire clock,
    input wire [15:0] write,         // Rows whose next weight is written.
    input wire [127:0] next,         // The weight of each row.
    input wire swap,                 // Makes the next weights the current ones.
    input wire [143:0] differences,  // x - x_zero of 16 channels, 9 bits each.
    output reg signed [20:0] sum
);
  reg signed [7:0] next_weights[0:15];
  reg signed [7:0] weights[0:15];
  reg signed [16:0] products[0:15];
  reg signed [17:0] pairs[0:7];
  reg signed [18:0] quads[0:3];
  reg signed [19:0] halves[0:1];

  genvar i;
  generate
    for (i = 0; i < 16; i = i + 1) begin : rows
      wire signed [8:0] difference = differences[9*i+:9];
      always @(posedge clock) begin
        if (write[i]) next_weights[i] <= next[8*i+:8];
        if (swap) weights[i] <= next_weights[i];
        products[i] <= difference * weights[i];
      end
    end
    for (i = 0; i < 8; i = i + 1) begin : level1
      always @(posedge clock) pairs[i] <= products[2*i] + products[2*i+1];
    end
    for (i = 0; i < 4; i = i + 1) begin : level2
      always @(posedge clock) quads[i] <= pairs[2*i] + pairs[2*i+1];
    end
    for (i = 0; i < 2; i = i + 1) begin : level3
      always @(posedge clock) halves[i] <= quads[2*i] + quads[2*i+1];
    end
  endgenerate
  always @(posedge clock) sum <= halves[0] + halves[1];
endmodule
