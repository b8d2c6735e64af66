// strawberry_array.v - The array with its memories
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
// The top module: `busy` is high from the cycle after `start` until the command in the queue is done. The pipeline of a
// pixel, from the cycle in which the sequencer issues it:
//
//   cycle 0    address of the input memory
//   cycle 1    subtraction of the zero point; the weights are swapped if it is the first pixel of a step
//   cycle 2    multiplication
//   cycle 3-6  adder trees; in cycle 6, the address of the accumulators
//   cycle 7    addition to the accumulators

module strawberry_array (
    input wire clock,
    input wire reset,
    input wire start,
    output wire busy
);
  // ------------------------------------------------------------------------------------------------------------------
  // Memories
  // ------------------------------------------------------------------------------------------------------------------

  wire [4:0] queue_address;
  wire [31:0] queue_data;
  strawberry_sram #(
      .WIDTH(32),
      .ADDRESS_BITS(5)
  ) queue (
      .clock(clock),
      .read_address(queue_address),
      .read_data(queue_data),
      .write(1'b0),
      .write_address(5'd0),
      .write_data(32'd0)
  );

  wire [15:0] x_address;
  wire [127:0] x;
  strawberry_sram #(
      .WIDTH(128),
      .ADDRESS_BITS(16)
  ) input_memory (
      .clock(clock),
      .read_address(x_address),
      .read_data(x),
      .write(1'b0),
      .write_address(16'd0),
      .write_data(128'd0)
  );

  wire [15:0] weight_address;
  wire [127:0] weights;
  strawberry_sram #(
      .WIDTH(128),
      .ADDRESS_BITS(16)
  ) weight_memory (
      .clock(clock),
      .read_address(weight_address),
      .read_data(weights),
      .write(1'b0),
      .write_address(16'd0),
      .write_data(128'd0)
  );

  reg add;  // In this cycle.
  reg [13:0] add_address;
  wire [13:0] read_address;
  wire [511:0] old_sums, new_sums;
  strawberry_sram #(
      .WIDTH(512),
      .ADDRESS_BITS(14)
  ) accumulators (
      .clock(clock),
      .read_address(read_address),
      .read_data(old_sums),
      .write(add),
      .write_address(add_address),
      .write_data(new_sums)
  );

  // ------------------------------------------------------------------------------------------------------------------
  // Sequencer
  // ------------------------------------------------------------------------------------------------------------------

  wire load, depthwise, issue, swap, padding, from_zero;
  wire [3:0] load_row;
  wire signed [7:0] x_zero;
  wire [13:0] sum_address;
  strawberry_sequencer sequencer (
      .clock(clock),
      .reset(reset),
      .start(start),
      .busy(busy),
      .queue_address(queue_address),
      .queue_data(queue_data),
      .weight_address(weight_address),
      .load(load),
      .load_row(load_row),
      .depthwise(depthwise),
      .issue(issue),
      .swap(swap),
      .padding(padding),
      .from_zero(from_zero),
      .x_zero(x_zero),
      .x_address(x_address),
      .sum_address(sum_address)
  );

  // ------------------------------------------------------------------------------------------------------------------
  // Multipliers
  // ------------------------------------------------------------------------------------------------------------------

  // A word of the weight memory is one row of a convolution's weights, or the diagonal of a depthwise convolution's.
  reg [15:0] write_rows;
  always @(posedge clock) write_rows <= !load ? 16'd0 : depthwise ? 16'hffff : 16'd1 << load_row;

  // What the input memory returns in this cycle.
  reg swap_1, padding_1;
  always @(posedge clock) begin
    swap_1 <= swap;
    padding_1 <= padding;
  end

  reg [143:0] differences;
  wire [335:0] products;  // Sums of 16 products, 21 bits each.
  genvar lane;
  generate
    for (lane = 0; lane < 16; lane = lane + 1) begin : lanes
      wire signed [7:0] value = x[8*lane+:8];
      always @(posedge clock) differences[9*lane+:9] <= padding_1 ? 9'sd0 : value - x_zero;

      wire [7:0] weight = weights[8*lane+:8];
      strawberry_column column (
          .clock(clock),
          .write(write_rows),
          .next(depthwise ? {120'd0, weight} << 8 * lane : {16{weight}}),
          .swap(swap_1),
          .differences(differences),
          .sum(products[21*lane+:21])
      );
    end
  endgenerate

  // ------------------------------------------------------------------------------------------------------------------
  // Accumulation
  // ------------------------------------------------------------------------------------------------------------------

  // Delays of what the sequencer says about a pixel, by 6 cycles.
  reg [5:0] issues, from_zeros;
  reg [6*14-1:0] sum_addresses;
  assign read_address = sum_addresses[5*14+:14];
  always @(posedge clock) begin
    issues <= {issues[4:0], issue};
    from_zeros <= {from_zeros[4:0], from_zero};
    sum_addresses <= {sum_addresses[0+:5*14], sum_address};
  end

  // If a depthwise convolution has one pixel, each cycle adds to the sums of the cycle before, which are not yet in the
  // memory.
  reg zero, forward;
  reg [511:0] last_sums;
  always @(posedge clock) begin
    add <= issues[5];
    add_address <= read_address;
    zero <= from_zeros[5];
    forward <= add && add_address == read_address;
    last_sums <= new_sums;
  end
  generate
    for (lane = 0; lane < 16; lane = lane + 1) begin : adders
      wire [20:0] product = products[21*lane+:21];
      wire [31:0] old_sum = forward ? last_sums[32*lane+:32] : old_sums[32*lane+:32];
      assign new_sums[32*lane+:32] = (zero ? 32'd0 : old_sum) + {{11{product[20]}}, product};
    end
  endgenerate
endmodule
