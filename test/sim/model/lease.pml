/*
 * Lease, fencing and slots: two schedulers share one shard with one monitor, and each may crash, freeze past the end of
 * its lease, or give the shard away at any moment. Checked for every order of steps:
 *
 * - a result is recorded only under a lease that is valid, by the owner of the shard;
 * - every slot is recorded once, and none is left out;
 * - all slots are recorded in the end, once nothing breaks anymore.
 *
 * -DMISTAKE=1 records without checking the lease, 2 gives a shard away during its check, 3 advances the schedule before
 * the result is recorded. Each must have a counterexample.
 */
#ifndef MISTAKE
#define MISTAKE 0
#endif
#define SLOTS 3
#define NOBODY 0
#define FAULTS 4

/* The database. */
byte owner = NOBODY
byte due = 0
byte recorded[SLOTS]
byte token[3]
bool valid[3]

/* How often something may still break. */
byte faults = FAULTS

#define holdsLease (valid[me] && token[me] == mine)

/* The shards of a lease that has ended are free. */
inline freed(one) {
  if
  :: owner == one -> owner = NOBODY
  :: else
  fi
}

/* A new lease has a new token; the one before it has ended. */
inline register() {
  atomic { freed(me); token[me]++; mine = token[me]; valid[me] = true; owns = false; runs = false }
}

/* One transaction. It checks the lease first, as recordResults does. */
inline record() {
  d_step {
    if
    :: MISTAKE != 1 && !holdsLease -> owns = false
    :: else ->
       assert(holdsLease && owner == me);
       if
       :: slot < SLOTS -> recorded[slot]++; assert(recorded[slot] == 1)
       :: else
       fi;
       if
       :: MISTAKE != 3 -> due = slot + 1
       :: else
       fi
    fi;
    runs = false
  }
}

proctype Scheduler(byte me) {
  byte mine, slot;
  bool owns, runs;
  register();
  do
  /* Claims the shard if nobody has it. */
  :: atomic { !owns && holdsLease && owner == NOBODY -> owner = me; owns = true }
  /* Starts the check of the slot that is due. It believes to own the shard, which may no longer be true. */
  :: atomic {
       owns && !runs && due < SLOTS ->
       slot = due;
       runs = true;
       if
       :: MISTAKE == 3 -> due = due + 1
       :: else
       fi
     }
  :: runs -> record()
  /* Gives the shard away, but not during a check. */
  :: atomic {
       owns && faults > 0 && holdsLease && owner == me && (!runs || MISTAKE == 2) ->
       faults--; owner = NOBODY; owns = false
     }
  /* Notices that its lease is lost. */
  :: atomic { !holdsLease && !runs -> register() }
  /* Crashes and starts again. */
  :: atomic { faults > 0 -> faults--; register() }
  /* All is recorded. */
  :: atomic { due == SLOTS && !runs -> break }
  od
}

/* Leases expire while their holders go on. */
active proctype Time() {
  do
  :: atomic { faults > 0 && valid[1] -> faults--; valid[1] = false; freed(1) }
  :: atomic { faults > 0 && valid[2] -> faults--; valid[2] = false; freed(2) }
  :: due == SLOTS -> break
  od
}

init {
  atomic { run Scheduler(1); run Scheduler(2) }
}

ltl allRecorded { <> (due == SLOTS && recorded[0] == 1 && recorded[1] == 1 && recorded[2] == 1) }
