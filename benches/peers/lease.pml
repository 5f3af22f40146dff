/* Workers that acquire, read, write and release in rounds, under a lease that may end at any moment.
 *
 * The same question as `src/explore/untimed`, written for SPIN. W workers, R rounds; GUARD 0: unfenced, 1: fenced, 2: activated.
 * ASK 1: no stale write, 2: no lost update, 3: both. `src/bin/lease.rs` compiles and runs it. */

byte held;      /* the token under which the lock is held; 0: it is free */
byte granted;   /* grants so far: the newest token */
byte mark;      /* what the guard compares with */
byte newest;    /* the highest token under which anything was written */
byte version;

active proctype lease() {
end:
  do
  :: d_step { held != 0 -> held = 0 }
  od
}

active [W] proctype worker() {
  byte token, base, rounds;
  bool passes;
  do
  :: rounds == R -> break
  :: else ->
     d_step { held == 0 -> granted++; token = granted; held = token; passes = true };
#if GUARD == 2
     d_step { passes = (token >= mark); if :: passes -> mark = token :: else fi };
#endif
     if
     :: passes ->
        base = version;
        d_step {
          if
          :: GUARD == 0 || token >= mark ->
#if ASK & 1
             assert(token >= newest);
#endif
#if ASK & 2
             assert(base == version);
#endif
             if :: token > newest -> newest = token :: else fi;
             if :: GUARD != 0 && token > mark -> mark = token :: else fi;
             version++
          :: else
          fi;
          base = 0
        }
     :: else
     fi;
     d_step { if :: held == token -> held = 0 :: else fi; token = 0; passes = false; rounds++ }
  od
}
