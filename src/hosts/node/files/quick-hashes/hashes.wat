;; The hashes of all items of a folder with their stamps, through WASI: no text and no object is made for any of them.
;; `scripts/build-kernel.mjs` turns this into hashes-bytes.ts. The hashes are those of core/vault/listing-sum.ts.
(module
  (import "wasi_snapshot_preview1" "path_open"
    (func $path_open (param i32 i32 i32 i32 i32 i64 i64 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_readdir" (func $fd_readdir (param i32 i32 i32 i64 i32) (result i32)))
  (import "wasi_snapshot_preview1" "path_filestat_get"
    (func $path_filestat_get (param i32 i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_close" (func $fd_close (param i32) (result i32)))

  ;; At 0 what a call answers, at 64 a stat, at 1024 the folder's path, at 64 KiB the rows, at 2 MiB the folder's items.
  (memory (export "memory") 49)
  (global $rows i32 (i32.const 65536))
  (global $items i32 (i32.const 2097152))
  (global $room i32 (i32.const 1048576))
  ;; Where the next look begins.
  (global $cookie (mut i64) (i64.const 0))
  ;; The two hashes of the item at hand.
  (global $a (mut i32) (i32.const 0))
  (global $b (mut i32) (i32.const 0))

  ;; Opens the folder whose path of so many bytes lies at 1024. Answers its number, or -1.
  (func (export "open") (param $length i32) (result i32)
    (global.set $cookie (i64.const 0))
    (if (call $path_open
          (i32.const 3) (i32.const 0) (i32.const 1024) (local.get $length)
          (i32.const 2)                           ;; a folder or nothing,
          (i64.const 0x44000) (i64.const 0x40000) ;; to be listed, its items to be asked for their stats
          (i32.const 0) (i32.const 0))
      (then (return (i32.const -1))))
    (i32.load (i32.const 0)))

  (func (export "close") (param $folder i32)
    (drop (call $fd_close (local.get $folder))))

  ;; Looks at the next items; their hashes begin with those of the folder. Answers how many rows of 24 bytes it has
  ;; written, or -1. A row has place and length of the name, the WASI file type (0 when the item is gone meanwhile),
  ;; whether the name is ASCII, and the hashes (32-bit each). At 0 is how many bytes the items took: there are more only
  ;; if that is all the room.
  (func (export "look") (param $folder i32) (param $a i32) (param $b i32) (result i32)
    (local $at i32) (local $end i32) (local $row i32) (local $name i32) (local $size i32)
    (local $failed i32) (local $kind i32)
    (if (call $fd_readdir (local.get $folder) (global.get $items) (global.get $room) (global.get $cookie) (i32.const 0))
      (then (return (i32.const -1))))
    (local.set $at (global.get $items))
    (local.set $end (i32.add (local.get $at) (i32.load (i32.const 0))))
    (local.set $row (global.get $rows))
    (block $done
      (loop $item
        ;; The last item may have been cut off: it comes again.
        (local.set $name (i32.add (local.get $at) (i32.const 24)))
        (br_if $done (i32.gt_u (local.get $name) (local.get $end)))
        (local.set $size (i32.load offset=16 (local.get $at)))
        (br_if $done (i32.gt_u (i32.add (local.get $name) (local.get $size)) (local.get $end)))
        (global.set $cookie (i64.load (local.get $at)))
        (local.set $at (i32.add (local.get $name) (local.get $size)))

        (local.set $failed
          (call $path_filestat_get
            (local.get $folder) (i32.const 0) (local.get $name) (local.get $size) (i32.const 64)))
        (local.set $kind (i32.const 0))
        (if (local.get $failed)
          ;; 44: there is no such file.
          (then (br_if 0 (i32.eq (local.get $failed) (i32.const 44))) (return (i32.const -1)))
          (else (local.set $kind (i32.load8_u (i32.const 80)))))

        (global.set $a (local.get $a))
        (global.set $b (local.get $b))
        (i32.store (local.get $row) (local.get $name))
        (i32.store offset=4 (local.get $row) (local.get $size))
        (i32.store offset=8 (local.get $row) (local.get $kind))
        (i32.store offset=12 (local.get $row) (call $mixText (local.get $name) (local.get $size)))
        (call $mixNumber (f64.convert_i64_u (i64.load (i32.const 96))))
        (call $mixNumber (call $milliseconds (i64.load (i32.const 112))))
        (call $mixNumber (call $milliseconds (i64.load (i32.const 120))))
        (i32.store offset=16 (local.get $row)
          (i32.mul (i32.xor (global.get $a) (i32.shr_u (global.get $a) (i32.const 16))) (i32.const 0x85ebca6b)))
        (i32.store offset=20 (local.get $row)
          (i32.mul (i32.xor (global.get $b) (i32.shr_u (global.get $b) (i32.const 16))) (i32.const 0xc2b2ae35)))
        (local.set $row (i32.add (local.get $row) (i32.const 24)))
        (br $item)))
    (i32.div_u (i32.sub (local.get $row) (global.get $rows)) (i32.const 24)))

  ;; Answers whether all of it is ASCII.
  (func $mixText (param $at i32) (param $size i32) (result i32)
    (local $end i32) (local $word i32) (local $bits i32)
    (call $mix (local.get $size))
    (local.set $end (i32.add (local.get $at) (i32.and (local.get $size) (i32.const -4))))
    (block $done
      (loop $four
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $word (i32.load align=1 (local.get $at)))
        (local.set $bits (i32.or (local.get $bits) (local.get $word)))
        (call $mix (local.get $word))
        (local.set $at (i32.add (local.get $at) (i32.const 4)))
        (br $four)))
    (if (i32.and (local.get $size) (i32.const 3))
      (then
        ;; What follows is not of the name.
        (local.set $word
          (i32.and
            (i32.load align=1 (local.get $at))
            (i32.sub
              (i32.shl (i32.const 1) (i32.shl (i32.and (local.get $size) (i32.const 3)) (i32.const 3)))
              (i32.const 1))))
        (local.set $bits (i32.or (local.get $bits) (local.get $word)))
        (call $mix (local.get $word))))
    (i32.eqz (i32.and (local.get $bits) (i32.const 0x80808080))))

  (func $mixNumber (param $number f64)
    (local $bits i64)
    (local.set $bits (i64.reinterpret_f64 (local.get $number)))
    (call $mix (i32.wrap_i64 (local.get $bits)))
    (call $mix (i32.wrap_i64 (i64.shr_u (local.get $bits) (i64.const 32)))))

  (func $mix (param $word i32)
    (local $mixed i32)
    (local.set $mixed (i32.mul (i32.xor (global.get $a) (local.get $word)) (i32.const 0x01000193)))
    (global.set $a (i32.xor (local.get $mixed) (i32.shr_u (local.get $mixed) (i32.const 15))))
    (local.set $mixed (i32.mul (i32.xor (global.get $b) (local.get $word)) (i32.const 0x85ebca6b)))
    (global.set $b (i32.xor (local.get $mixed) (i32.shr_u (local.get $mixed) (i32.const 13)))))

  ;; As Node puts a time together: whole seconds, and what is left of them.
  (func $milliseconds (param $nanoseconds i64) (result f64)
    (f64.add
      (f64.mul (f64.convert_i64_u (i64.div_u (local.get $nanoseconds) (i64.const 1000000000))) (f64.const 1000))
      (f64.div (f64.convert_i64_u (i64.rem_u (local.get $nanoseconds) (i64.const 1000000000))) (f64.const 1000000)))))
