import type { Db } from '../platform/db.ts'

/** Writes the demo data once; a database that has vendors is left alone. */
export async function seedDemo(_db: Db, _now: Date): Promise<void> {}
