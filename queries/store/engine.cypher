// Settings and transactions of the engine.

// name: keep_wal
CALL force_checkpoint_on_close=false;

// name: begin
BEGIN TRANSACTION;

// name: commit
COMMIT;

// name: rollback
ROLLBACK;

// name: checkpoint
CHECKPOINT;
