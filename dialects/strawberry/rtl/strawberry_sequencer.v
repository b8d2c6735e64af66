// strawberry_sequencer.v - Sequencer of the array
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
// Executes one command. Its cycles, which strawberry.h documents:
//
//   FETCH   24  reads the 23 words of the command from the queue: 1 for a depthwise convolution, then the fields of
//               strawberry_tile in order; multiplies the distances of rows
//   SETUP    1  starts the counters
//   LOAD    16  loads the weights of the first step
//   RUN         one step for each block of outputs, block of inputs, ky and kx. A step issues one pixel per cycle, and
//               loads the weights of the next step: 16 words, or 1 (the diagonal) for a depthwise convolution
//   DRAIN    7  lets the last pixel pass through the pipeline of the array
//
// Addresses are counted in words of a memory: 16 bytes of the input and weight memories, 64 bytes of the sums. They are
// sums of distances, modulo the size of the memory, so that a position in the padding may have any address.

module strawberry_sequencer (
    input wire clock,
    input wire reset,
    input wire start,
    output wire busy,

    // The queue.
    output wire [4:0] queue_address,
    input wire [31:0] queue_data,

    // The weight memory. The word that is read has the weights of `load_row`, or the diagonal.
    output wire [15:0] weight_address,
    output wire load,
    output wire [3:0] load_row,
    output reg depthwise,

    // The pixel.
    output wire issue,
    output wire swap,         // It is the first of a step: its weights are the ones loaded last.
    output wire padding,      // It contributes 0.
    output wire from_zero,    // It starts a sum.
    output reg signed [7:0] x_zero,
    output reg [15:0] x_address,
    output reg [13:0] sum_address
);
  localparam IDLE = 3'd0, FETCH = 3'd1, SETUP = 3'd2, LOAD = 3'd3, RUN = 3'd4, DRAIN = 3'd5;

  reg [2:0] state;
  reg [4:0] count;  // Cycles in this state; in RUN, words loaded in this step.

  // ------------------------------------------------------------------------------------------------------------------
  // The command
  // ------------------------------------------------------------------------------------------------------------------

  reg [15:0] x, x_block, x_row, w, w_block;
  reg [13:0] sums, sums_block, sums_row;
  reg [16:0] in_blocks, out_blocks, ih, iw, oh, ow, kh, kw;
  reg [31:0] top, left, stride_y, stride_x;
  reg accumulate;

  // Channels to blocks of 16, rounded up. There are at most 2^20 channels.
  wire [16:0] blocks = {1'b0, queue_data[19:4]} + {16'd0, |queue_data[3:0]} + {queue_data[20], 16'd0};

  assign queue_address = count;
  always @(posedge clock)
    if (state == FETCH)
      case (count)
        5'd1: depthwise <= queue_data[0];
        5'd2: x <= queue_data[19:4];
        5'd3: w <= queue_data[19:4];
        5'd4: sums <= queue_data[19:6];
        5'd5: x_block <= queue_data[19:4];
        5'd6: x_row <= queue_data[19:4];
        5'd7: w_block <= queue_data[19:4];
        5'd8: sums_block <= queue_data[19:6];
        5'd9: sums_row <= queue_data[19:6];
        5'd10: in_blocks <= depthwise ? 17'd1 : blocks;
        5'd11: ih <= queue_data[16:0];
        5'd12: iw <= queue_data[16:0];
        5'd13: top <= queue_data;
        5'd14: left <= queue_data;
        5'd15: out_blocks <= blocks;
        5'd16: oh <= queue_data[16:0];
        5'd17: ow <= queue_data[16:0];
        5'd18: kh <= queue_data[16:0];
        5'd19: kw <= queue_data[16:0];
        5'd20: stride_y <= queue_data;
        5'd21: stride_x <= queue_data;
        5'd22: x_zero <= queue_data[7:0];
        5'd23: accumulate <= queue_data[0];
        default: ;
      endcase

  // ------------------------------------------------------------------------------------------------------------------
  // Steps
  // ------------------------------------------------------------------------------------------------------------------

  reg [15:0] row_step;  // From a row of pixels to the next one: stride_y * x_row.
  reg [15:0] x_first;   // The first position, often in the padding: x - top * x_row - left.

  // The step, and the address and position (row, column) of its first pixel.
  reg [16:0] out_block, in_block, ky, kx;
  reg [15:0] x_blocks, x_rows, x_step;  // The address at ky = kx = 0, at kx = 0, and of the step.
  reg signed [32:0] step_row, step_column;
  reg [13:0] sums_step;

  wire last_kx = kx == kw - 1;
  wire last_ky = ky == kh - 1;
  wire last_of_block = last_kx && last_ky && in_block == in_blocks - 1;
  wire last_step = last_of_block && out_block == out_blocks - 1;

  // The next step.
  wire [15:0] next_x_blocks = depthwise || !last_of_block ? x_blocks + x_block : x_first;
  wire [15:0] next_x_rows = last_ky ? next_x_blocks : x_rows + x_row;
  wire [15:0] next_x_step = last_kx ? next_x_rows : x_step + 1;
  wire signed [32:0] first_row = -$signed({1'b0, top});
  wire signed [32:0] first_column = -$signed({1'b0, left});
  wire signed [32:0] next_row = !last_kx ? step_row : last_ky ? first_row : step_row + 1;
  wire signed [32:0] next_column = last_kx ? first_column : step_column + 1;
  wire [13:0] next_sums = last_of_block ? sums_step + sums_block : sums_step;

  wire step_ends;  // In this cycle.
  wire first_step = state == SETUP;
  wire step_begins = first_step || step_ends;

  always @(posedge clock) begin
    if (state == FETCH && count == 23) begin
      row_step <= stride_y[15:0] * x_row;
      x_first <= x - top[15:0] * x_row - left[15:0];
    end
    if (first_step) begin
      {out_block, in_block, ky, kx} <= 0;
      x_blocks <= x_first;
      x_rows <= x_first;
      x_step <= x_first;
      step_row <= first_row;
      step_column <= first_column;
      sums_step <= sums;
    end else if (step_ends) begin
      kx <= last_kx ? 0 : kx + 1;
      if (last_kx) ky <= last_ky ? 0 : ky + 1;
      if (last_kx && last_ky) begin
        in_block <= last_of_block ? 0 : in_block + 1;
        x_blocks <= next_x_blocks;
      end
      if (last_of_block) out_block <= out_block + 1;
      if (last_kx) x_rows <= next_x_rows;
      x_step <= next_x_step;
      step_row <= next_row;
      step_column <= next_column;
      sums_step <= next_sums;
    end
  end

  // ------------------------------------------------------------------------------------------------------------------
  // Pixels of a step
  // ------------------------------------------------------------------------------------------------------------------

  reg issued;  // All pixels of this step.
  reg [16:0] i, j;
  reg signed [32:0] row, column;
  reg [15:0] x_line;  // The addresses of the first pixel in this row.
  reg [13:0] sums_line;

  wire signed [32:0] row_end = $signed({16'd0, ih});
  wire signed [32:0] column_end = $signed({16'd0, iw});
  wire last_column = j == ow - 1;
  wire last_pixel = last_column && i == oh - 1;

  assign issue = state == RUN && !issued;
  assign swap = issue && i == 0 && j == 0;
  assign padding = row < 0 || row >= row_end || column < 0 || column >= column_end;
  assign from_zero = !accumulate && in_block == 0 && ky == 0 && kx == 0;

  always @(posedge clock)
    if (step_begins) begin
      issued <= 0;
      i <= 0;
      j <= 0;
      row <= first_step ? first_row : next_row;
      column <= first_step ? first_column : next_column;
      x_line <= first_step ? x_first : next_x_step;
      x_address <= first_step ? x_first : next_x_step;
      sums_line <= first_step ? sums : next_sums;
      sum_address <= first_step ? sums : next_sums;
    end else if (issue && last_column) begin
      issued <= last_pixel;
      i <= i + 1;
      j <= 0;
      // A row past the end stays there: so does the counter, which then cannot overflow.
      if (row < row_end) row <= row + $signed({1'b0, stride_y});
      column <= step_column;
      x_line <= x_line + row_step;
      x_address <= x_line + row_step;
      sums_line <= sums_line + sums_row;
      sum_address <= sums_line + sums_row;
    end else if (issue) begin
      j <= j + 1;
      if (column < column_end) column <= column + $signed({1'b0, stride_x});
      x_address <= x_address + stride_x[15:0];
      sum_address <= sum_address + 1;
    end

  // ------------------------------------------------------------------------------------------------------------------
  // Weights of the next step
  // ------------------------------------------------------------------------------------------------------------------

  // Steps of a block of outputs have consecutive weights.
  reg [15:0] w_next, w_out_block;
  wire jump = state == RUN && count == 0 && last_of_block;

  assign load = (state == LOAD || state == RUN) && (depthwise ? count == 0 : !count[4]);
  assign load_row = count[3:0];
  assign weight_address = jump ? w_out_block + w_block : w_next;

  always @(posedge clock)
    if (first_step) begin
      w_next <= w;
      w_out_block <= w;
    end else if (load) begin
      w_next <= weight_address + 1;
      if (jump) w_out_block <= weight_address;
    end

  // ------------------------------------------------------------------------------------------------------------------
  // States
  // ------------------------------------------------------------------------------------------------------------------

  // The loader also runs in the last step, so that all steps take the same time.
  assign step_ends = state == RUN && (issued || last_pixel) && (depthwise || count >= 15);
  assign busy = state != IDLE;

  reg state_ends;
  always @*
    case (state)
      IDLE: state_ends = start;
      FETCH: state_ends = count == 23;
      SETUP: state_ends = 1;
      LOAD: state_ends = count == 15;
      RUN: state_ends = step_ends && last_step;
      default: state_ends = count == 6;
    endcase

  always @(posedge clock)
    if (reset) begin
      state <= IDLE;
      count <= 0;
    end else begin
      if (state_ends) state <= state == DRAIN ? IDLE : state + 1;
      if (state_ends || step_ends || state == IDLE) count <= 0;
      else if (!count[4] || state != RUN) count <= count + 1;
    end
endmodule
