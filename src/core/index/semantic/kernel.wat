;; The three inner loops of the semantic index, four to sixteen numbers at a time.
;; `scripts/build-kernel.mjs` turns this into kernel-bytes.ts. Each function has a twin in TypeScript that gives the same
;; bits: whole numbers wrap the same way, and 32-bit floats are multiplied and added in the same order, never fused.
(module
  (import "host" "memory" (memory 1))

  ;; products[i] ← Σⱼ query[j] · vectors[i · dimension + j]
  ;; The query is signed 16-bit, the vectors signed 8-bit, the products 32-bit; vectors follow one another without gaps.
  (func (export "scan")
    (param $query i32) (param $vectors i32) (param $products i32) (param $count i32) (param $dimension i32)
    (local $sums v128) (local $sum i32) (local $at i32) (local $wide i32) (local $end i32) (local $last i32)
    (local.set $last (i32.add (local.get $products) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $vector
        (br_if $done (i32.ge_u (local.get $products) (local.get $last)))
        (local.set $sums (v128.const i64x2 0 0))
        (local.set $at (local.get $query))
        ;; Sixteen dimensions of the query are 32 bytes.
        (local.set $wide (i32.add (local.get $query)
          (i32.shl (i32.and (local.get $dimension) (i32.const -16)) (i32.const 1))))
        (local.set $end (i32.add (local.get $query) (i32.shl (local.get $dimension) (i32.const 1))))
        (block $tail
          (loop $sixteen
            (br_if $tail (i32.ge_u (local.get $at) (local.get $wide)))
            (local.set $sums
              (i32x4.add (local.get $sums)
                (i32x4.add
                  (i32x4.dot_i16x8_s (v128.load (local.get $at)) (v128.load8x8_s (local.get $vectors)))
                  (i32x4.dot_i16x8_s
                    (v128.load offset=16 (local.get $at)) (v128.load8x8_s offset=8 (local.get $vectors))))))
            (local.set $at (i32.add (local.get $at) (i32.const 32)))
            (local.set $vectors (i32.add (local.get $vectors) (i32.const 16)))
            (br $sixteen)))
        (local.set $sum
          (i32.add
            (i32.add (i32x4.extract_lane 0 (local.get $sums)) (i32x4.extract_lane 1 (local.get $sums)))
            (i32.add (i32x4.extract_lane 2 (local.get $sums)) (i32x4.extract_lane 3 (local.get $sums)))))
        (block $summed
          (loop $one
            (br_if $summed (i32.ge_u (local.get $at) (local.get $end)))
            (local.set $sum
              (i32.add (local.get $sum)
                (i32.mul (i32.load16_s (local.get $at)) (i32.load8_s (local.get $vectors)))))
            (local.set $at (i32.add (local.get $at) (i32.const 2)))
            (local.set $vectors (i32.add (local.get $vectors) (i32.const 1)))
            (br $one)))
        (i32.store (local.get $products) (local.get $sum))
        (local.set $products (i32.add (local.get $products) (i32.const 4)))
        (br $vector))))

  ;; target[row] ← Σᵢ weights[i] · source[columns[i]], i from start[row] to start[row + 1], for rows `from` to `to`.
  ;; A row of source and target is sixteen 32-bit floats.
  (func (export "multiply")
    (param $start i32) (param $columns i32) (param $weights i32) (param $source i32) (param $target i32)
    (param $from i32) (param $to i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128) (local $weight v128)
    (local $i i32) (local $end i32) (local $at i32)
    (block $done
      (loop $row
        (br_if $done (i32.ge_s (local.get $from) (local.get $to)))
        (local.set $at (i32.add (local.get $start) (i32.shl (local.get $from) (i32.const 2))))
        (local.set $i (i32.shl (i32.load (local.get $at)) (i32.const 2)))
        (local.set $end (i32.shl (i32.load offset=4 (local.get $at)) (i32.const 2)))
        (local.set $a (v128.const i64x2 0 0))
        (local.set $b (v128.const i64x2 0 0))
        (local.set $c (v128.const i64x2 0 0))
        (local.set $d (v128.const i64x2 0 0))
        (block $summed
          (loop $entry
            (br_if $summed (i32.ge_u (local.get $i) (local.get $end)))
            (local.set $weight (v128.load32_splat (i32.add (local.get $weights) (local.get $i))))
            (local.set $at
              (i32.add (local.get $source)
                (i32.shl (i32.load (i32.add (local.get $columns) (local.get $i))) (i32.const 6))))
            (local.set $a (f32x4.add (local.get $a) (f32x4.mul (local.get $weight) (v128.load (local.get $at)))))
            (local.set $b (f32x4.add (local.get $b) (f32x4.mul (local.get $weight) (v128.load offset=16 (local.get $at)))))
            (local.set $c (f32x4.add (local.get $c) (f32x4.mul (local.get $weight) (v128.load offset=32 (local.get $at)))))
            (local.set $d (f32x4.add (local.get $d) (f32x4.mul (local.get $weight) (v128.load offset=48 (local.get $at)))))
            (local.set $i (i32.add (local.get $i) (i32.const 4)))
            (br $entry)))
        (local.set $at (i32.add (local.get $target) (i32.shl (local.get $from) (i32.const 6))))
        (v128.store (local.get $at) (local.get $a))
        (v128.store offset=16 (local.get $at) (local.get $b))
        (v128.store offset=32 (local.get $at) (local.get $c))
        (v128.store offset=48 (local.get $at) (local.get $d))
        (local.set $from (i32.add (local.get $from) (i32.const 1)))
        (br $row))))

  ;; sums[j] ← Σᵢ weights[i] · vectors[rows[i] · dimension + j], i from 0 to `used`.
  ;; Rows, weights and sums are 32-bit, vectors signed 8-bit. Only whole groups of sixteen dimensions: the caller adds the rest.
  (func (export "sumRows")
    (param $rows i32) (param $weights i32) (param $used i32) (param $vectors i32) (param $sums i32) (param $dimension i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128) (local $weight v128) (local $eight v128)
    (local $i i32) (local $column i32) (local $at i32)
    (local.set $used (i32.shl (local.get $used) (i32.const 2)))
    (block $done
      (loop $sixteen
        (br_if $done (i32.gt_s (i32.add (local.get $column) (i32.const 16)) (local.get $dimension)))
        (local.set $a (v128.const i64x2 0 0))
        (local.set $b (v128.const i64x2 0 0))
        (local.set $c (v128.const i64x2 0 0))
        (local.set $d (v128.const i64x2 0 0))
        (local.set $i (i32.const 0))
        (block $summed
          (loop $entry
            (br_if $summed (i32.ge_u (local.get $i) (local.get $used)))
            (local.set $weight (v128.load32_splat (i32.add (local.get $weights) (local.get $i))))
            (local.set $at
              (i32.add (i32.add (local.get $vectors) (local.get $column))
                (i32.mul (i32.load (i32.add (local.get $rows) (local.get $i))) (local.get $dimension))))
            (local.set $eight (v128.load8x8_s (local.get $at)))
            (local.set $a
              (i32x4.add (local.get $a) (i32x4.mul (local.get $weight) (i32x4.extend_low_i16x8_s (local.get $eight)))))
            (local.set $b
              (i32x4.add (local.get $b) (i32x4.mul (local.get $weight) (i32x4.extend_high_i16x8_s (local.get $eight)))))
            (local.set $eight (v128.load8x8_s offset=8 (local.get $at)))
            (local.set $c
              (i32x4.add (local.get $c) (i32x4.mul (local.get $weight) (i32x4.extend_low_i16x8_s (local.get $eight)))))
            (local.set $d
              (i32x4.add (local.get $d) (i32x4.mul (local.get $weight) (i32x4.extend_high_i16x8_s (local.get $eight)))))
            (local.set $i (i32.add (local.get $i) (i32.const 4)))
            (br $entry)))
        (local.set $at (i32.add (local.get $sums) (i32.shl (local.get $column) (i32.const 2))))
        (v128.store (local.get $at) (local.get $a))
        (v128.store offset=16 (local.get $at) (local.get $b))
        (v128.store offset=32 (local.get $at) (local.get $c))
        (v128.store offset=48 (local.get $at) (local.get $d))
        (local.set $column (i32.add (local.get $column) (i32.const 16)))
        (br $sixteen)))))
