// Keeps msgpackr's native reader of strings out of the process (decision 0026). When a thread loads
// it, it rewrites a table that all threads read with: a record that another one decodes in that
// instant gets other members and texts, without an error. Whoever imports msgpackr, or lmdb, which
// loads msgpackr, imports this file first.

process.env['MSGPACKR_NATIVE_ACCELERATION_DISABLED'] = 'true';
