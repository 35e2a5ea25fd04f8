import { DamagedBackup, readArchive, readWhole, verifyFile } from './archive.ts'
import { type Sum, summing } from './inventory.ts'
import { type Manifest, manifestShape, type Summary, summaryShape } from './manifest.ts'

export interface Contents {
  manifest: Manifest
  summary: Summary
}

/** Callbacks for the parts of a backup. */
export interface Reader {
  begin?: (manifest: Manifest) => Promise<void>
  rows?: (table: string, chunk: Buffer) => Promise<void>
}

const tableOf = /^tables\/([^/]+)\/\d{6}\.copy$/

/** Reads a whole backup after verifying its hash, and compares the contents with its summary. @throws DamagedBackup */
export async function readBackup(file: string, reader: Reader = {}): Promise<Contents> {
  await verifyFile(file)
  let manifest: Manifest | null = null
  let summary: Summary | null = null
  const summed = new Map<string, ReturnType<typeof summing>>()
  for await (const entry of readArchive(file)) {
    const table = tableOf.exec(entry.name)?.[1]
    if (entry.name === 'manifest.json') {
      manifest = manifestShape.parse(JSON.parse((await readWhole(entry)).toString()))
      await reader.begin?.(manifest)
    } else if (entry.name === 'summary.json') {
      summary = summaryShape.parse(JSON.parse((await readWhole(entry)).toString()))
    } else if (table !== undefined) {
      const sum = summed.get(table) ?? summing()
      summed.set(table, sum)
      for await (const chunk of entry.body) {
        sum.take(chunk)
        await reader.rows?.(table, chunk)
      }
    } else throw new DamagedBackup(`${file} holds something unknown: ${entry.name}`)
  }
  if (!manifest || !summary) throw new DamagedBackup(`${file} is no backup of this shop`)
  for (const { schema, name } of manifest.tables) {
    const title = `${schema}.${name}`
    compare(title, (summed.get(title) ?? summing()).sum(), summary)
  }
  return { manifest, summary }
}

/** @throws DamagedBackup if row count or hash differ from the summary. */
export function compare(table: string, found: Sum, { tables }: Summary) {
  const wanted = tables[table]
  if (wanted?.rows === found.rows && wanted.sha256 === found.sha256) return
  throw new DamagedBackup(`${table} is not what was backed up: ${found.rows} rows of ${wanted?.rows ?? 'none'}`)
}
