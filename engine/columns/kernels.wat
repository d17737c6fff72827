;; Loops over columns and sets, in vectors of 16 bytes. test/engine/columns/make-kernels.ts compiles them into kernels-wasm.ts.
;;
;; A scan takes $groups groups of 32 values, at least one, from $values on, and adds a bit a value to the set at $into: bit i
;; of word g is for value 32 g + i. A set operation takes $bytes bytes, a multiple of 16 and not 0.
(module
  (import "columns" "memory" (memory 1 65536 shared))

  (func (export "greater32") (param $values i32) (param $groups i32) (param $operand i32) (param $into i32)
    (local $operands v128)
    (local.set $operands (i32x4.splat (local.get $operand)))
    (loop $next
      (i32.store (local.get $into) (i32.or (i32.load (local.get $into))
        (i32.or
          (i32.or
          (i32.or
          (i32x4.bitmask (i32x4.gt_u (v128.load (local.get $values)) (local.get $operands)))
          (i32.shl (i32x4.bitmask (i32x4.gt_u (v128.load offset=16 (local.get $values)) (local.get $operands))) (i32.const 4)))
          (i32.or
          (i32.shl (i32x4.bitmask (i32x4.gt_u (v128.load offset=32 (local.get $values)) (local.get $operands))) (i32.const 8))
          (i32.shl (i32x4.bitmask (i32x4.gt_u (v128.load offset=48 (local.get $values)) (local.get $operands))) (i32.const 12))))
          (i32.or
          (i32.or
          (i32.shl (i32x4.bitmask (i32x4.gt_u (v128.load offset=64 (local.get $values)) (local.get $operands))) (i32.const 16))
          (i32.shl (i32x4.bitmask (i32x4.gt_u (v128.load offset=80 (local.get $values)) (local.get $operands))) (i32.const 20)))
          (i32.or
          (i32.shl (i32x4.bitmask (i32x4.gt_u (v128.load offset=96 (local.get $values)) (local.get $operands))) (i32.const 24))
          (i32.shl (i32x4.bitmask (i32x4.gt_u (v128.load offset=112 (local.get $values)) (local.get $operands))) (i32.const 28)))))))
      (local.set $values (i32.add (local.get $values) (i32.const 128)))
      (local.set $into (i32.add (local.get $into) (i32.const 4)))
      (local.set $groups (i32.sub (local.get $groups) (i32.const 1)))
      (br_if $next (local.get $groups))))

  (func (export "equal8") (param $values i32) (param $groups i32) (param $operand i32) (param $into i32)
    (local $operands v128)
    (local.set $operands (i8x16.splat (local.get $operand)))
    (loop $next
      (i32.store (local.get $into) (i32.or (i32.load (local.get $into))
        (i32.or
          (i8x16.bitmask (i8x16.eq (v128.load (local.get $values)) (local.get $operands)))
          (i32.shl (i8x16.bitmask (i8x16.eq (v128.load offset=16 (local.get $values)) (local.get $operands))) (i32.const 16)))))
      (local.set $values (i32.add (local.get $values) (i32.const 32)))
      (local.set $into (i32.add (local.get $into) (i32.const 4)))
      (local.set $groups (i32.sub (local.get $groups) (i32.const 1)))
      (br_if $next (local.get $groups))))

  (func (export "equal16") (param $values i32) (param $groups i32) (param $operand i32) (param $into i32)
    (local $operands v128)
    (local.set $operands (i16x8.splat (local.get $operand)))
    (loop $next
      (i32.store (local.get $into) (i32.or (i32.load (local.get $into))
        (i32.or
          (i32.or
          (i16x8.bitmask (i16x8.eq (v128.load (local.get $values)) (local.get $operands)))
          (i32.shl (i16x8.bitmask (i16x8.eq (v128.load offset=16 (local.get $values)) (local.get $operands))) (i32.const 8)))
          (i32.or
          (i32.shl (i16x8.bitmask (i16x8.eq (v128.load offset=32 (local.get $values)) (local.get $operands))) (i32.const 16))
          (i32.shl (i16x8.bitmask (i16x8.eq (v128.load offset=48 (local.get $values)) (local.get $operands))) (i32.const 24))))))
      (local.set $values (i32.add (local.get $values) (i32.const 64)))
      (local.set $into (i32.add (local.get $into) (i32.const 4)))
      (local.set $groups (i32.sub (local.get $groups) (i32.const 1)))
      (br_if $next (local.get $groups))))

  (func (export "equal32") (param $values i32) (param $groups i32) (param $operand i32) (param $into i32)
    (local $operands v128)
    (local.set $operands (i32x4.splat (local.get $operand)))
    (loop $next
      (i32.store (local.get $into) (i32.or (i32.load (local.get $into))
        (i32.or
          (i32.or
          (i32.or
          (i32x4.bitmask (i32x4.eq (v128.load (local.get $values)) (local.get $operands)))
          (i32.shl (i32x4.bitmask (i32x4.eq (v128.load offset=16 (local.get $values)) (local.get $operands))) (i32.const 4)))
          (i32.or
          (i32.shl (i32x4.bitmask (i32x4.eq (v128.load offset=32 (local.get $values)) (local.get $operands))) (i32.const 8))
          (i32.shl (i32x4.bitmask (i32x4.eq (v128.load offset=48 (local.get $values)) (local.get $operands))) (i32.const 12))))
          (i32.or
          (i32.or
          (i32.shl (i32x4.bitmask (i32x4.eq (v128.load offset=64 (local.get $values)) (local.get $operands))) (i32.const 16))
          (i32.shl (i32x4.bitmask (i32x4.eq (v128.load offset=80 (local.get $values)) (local.get $operands))) (i32.const 20)))
          (i32.or
          (i32.shl (i32x4.bitmask (i32x4.eq (v128.load offset=96 (local.get $values)) (local.get $operands))) (i32.const 24))
          (i32.shl (i32x4.bitmask (i32x4.eq (v128.load offset=112 (local.get $values)) (local.get $operands))) (i32.const 28)))))))
      (local.set $values (i32.add (local.get $values) (i32.const 128)))
      (local.set $into (i32.add (local.get $into) (i32.const 4)))
      (local.set $groups (i32.sub (local.get $groups) (i32.const 1)))
      (br_if $next (local.get $groups))))

  (func (export "other8") (param $values i32) (param $groups i32) (param $operand i32) (param $into i32)
    (local $operands v128)
    (local.set $operands (i8x16.splat (local.get $operand)))
    (loop $next
      (i32.store (local.get $into) (i32.or (i32.load (local.get $into))
        (i32.or
          (i8x16.bitmask (i8x16.ne (v128.load (local.get $values)) (local.get $operands)))
          (i32.shl (i8x16.bitmask (i8x16.ne (v128.load offset=16 (local.get $values)) (local.get $operands))) (i32.const 16)))))
      (local.set $values (i32.add (local.get $values) (i32.const 32)))
      (local.set $into (i32.add (local.get $into) (i32.const 4)))
      (local.set $groups (i32.sub (local.get $groups) (i32.const 1)))
      (br_if $next (local.get $groups))))

  (func (export "other16") (param $values i32) (param $groups i32) (param $operand i32) (param $into i32)
    (local $operands v128)
    (local.set $operands (i16x8.splat (local.get $operand)))
    (loop $next
      (i32.store (local.get $into) (i32.or (i32.load (local.get $into))
        (i32.or
          (i32.or
          (i16x8.bitmask (i16x8.ne (v128.load (local.get $values)) (local.get $operands)))
          (i32.shl (i16x8.bitmask (i16x8.ne (v128.load offset=16 (local.get $values)) (local.get $operands))) (i32.const 8)))
          (i32.or
          (i32.shl (i16x8.bitmask (i16x8.ne (v128.load offset=32 (local.get $values)) (local.get $operands))) (i32.const 16))
          (i32.shl (i16x8.bitmask (i16x8.ne (v128.load offset=48 (local.get $values)) (local.get $operands))) (i32.const 24))))))
      (local.set $values (i32.add (local.get $values) (i32.const 64)))
      (local.set $into (i32.add (local.get $into) (i32.const 4)))
      (local.set $groups (i32.sub (local.get $groups) (i32.const 1)))
      (br_if $next (local.get $groups))))

  (func (export "other32") (param $values i32) (param $groups i32) (param $operand i32) (param $into i32)
    (local $operands v128)
    (local.set $operands (i32x4.splat (local.get $operand)))
    (loop $next
      (i32.store (local.get $into) (i32.or (i32.load (local.get $into))
        (i32.or
          (i32.or
          (i32.or
          (i32x4.bitmask (i32x4.ne (v128.load (local.get $values)) (local.get $operands)))
          (i32.shl (i32x4.bitmask (i32x4.ne (v128.load offset=16 (local.get $values)) (local.get $operands))) (i32.const 4)))
          (i32.or
          (i32.shl (i32x4.bitmask (i32x4.ne (v128.load offset=32 (local.get $values)) (local.get $operands))) (i32.const 8))
          (i32.shl (i32x4.bitmask (i32x4.ne (v128.load offset=48 (local.get $values)) (local.get $operands))) (i32.const 12))))
          (i32.or
          (i32.or
          (i32.shl (i32x4.bitmask (i32x4.ne (v128.load offset=64 (local.get $values)) (local.get $operands))) (i32.const 16))
          (i32.shl (i32x4.bitmask (i32x4.ne (v128.load offset=80 (local.get $values)) (local.get $operands))) (i32.const 20)))
          (i32.or
          (i32.shl (i32x4.bitmask (i32x4.ne (v128.load offset=96 (local.get $values)) (local.get $operands))) (i32.const 24))
          (i32.shl (i32x4.bitmask (i32x4.ne (v128.load offset=112 (local.get $values)) (local.get $operands))) (i32.const 28)))))))
      (local.set $values (i32.add (local.get $values) (i32.const 128)))
      (local.set $into (i32.add (local.get $into) (i32.const 4)))
      (local.set $groups (i32.sub (local.get $groups) (i32.const 1)))
      (br_if $next (local.get $groups))))

  (func (export "and") (param $into i32) (param $other i32) (param $bytes i32)
    (local $end i32)
    (local.set $end (i32.add (local.get $into) (local.get $bytes)))
    (loop $next
      (v128.store (local.get $into) (v128.and (v128.load (local.get $into)) (v128.load (local.get $other))))
      (local.set $into (i32.add (local.get $into) (i32.const 16)))
      (local.set $other (i32.add (local.get $other) (i32.const 16)))
      (br_if $next (i32.ne (local.get $into) (local.get $end)))))

  (func (export "or") (param $into i32) (param $other i32) (param $bytes i32)
    (local $end i32)
    (local.set $end (i32.add (local.get $into) (local.get $bytes)))
    (loop $next
      (v128.store (local.get $into) (v128.or (v128.load (local.get $into)) (v128.load (local.get $other))))
      (local.set $into (i32.add (local.get $into) (i32.const 16)))
      (local.set $other (i32.add (local.get $other) (i32.const 16)))
      (br_if $next (i32.ne (local.get $into) (local.get $end)))))

  (func (export "not") (param $into i32) (param $bytes i32)
    (local $end i32)
    (local.set $end (i32.add (local.get $into) (local.get $bytes)))
    (loop $next
      (v128.store (local.get $into) (v128.not (v128.load (local.get $into))))
      (local.set $into (i32.add (local.get $into) (i32.const 16)))
      (br_if $next (i32.ne (local.get $into) (local.get $end)))))

  (func (export "clear") (param $into i32) (param $bytes i32)
    (memory.fill (local.get $into) (i32.const 0) (local.get $bytes)))

  (func (export "count") (param $set i32) (param $bytes i32) (result i32)
    (local $end i32)
    (local $ones i64)
    (local.set $end (i32.add (local.get $set) (local.get $bytes)))
    (loop $next
      (local.set $ones (i64.add (local.get $ones) (i64.popcnt (i64.load (local.get $set)))))
      (local.set $ones (i64.add (local.get $ones) (i64.popcnt (i64.load offset=8 (local.get $set)))))
      (local.set $set (i32.add (local.get $set) (i32.const 16)))
      (br_if $next (i32.ne (local.get $set) (local.get $end))))
    (i32.wrap_i64 (local.get $ones)))
)
