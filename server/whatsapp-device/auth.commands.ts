import { type Db, run, statement } from '../database/db.ts'
import { keyFor, seal, unseal } from '../lib/secrets.ts'
import type { DeviceLibrary } from '../providers/whatsapp-device/library.ts'

const readSql = statement('device-keys', 'select key, value from whatsapp_auth where key = any($1::text[])')
const writeSql = statement(
  'device-key-write',
  `insert into whatsapp_auth (key, value) values ($1, $2)
   on conflict (key) do update set value = excluded.value, updated_at = now()`,
)
const deleteSql = statement('device-key-delete', 'delete from whatsapp_auth where key = any($1::text[])')
const deleteKeysSql = statement('device-keys-forget', 'delete from whatsapp_auth')

const CREDS = 'creds'

/** Deletes all keys of the linked device, which give full access to the shop's number. */
export const deleteKeys = (db: Db) => run(db, deleteKeysSql)

/**
 * Stores the library's keys as rows, each encrypted for its own name with a key outside the database. A copy of the
 * database is useless without that key, and rows cannot be swapped.
 */
export function keyStore(db: Db, secret: Buffer, { BufferJSON, initAuthCreds, proto }: DeviceLibrary) {
  const key = keyFor(secret, 'keys of the linked device')

  async function read(names: readonly string[]): Promise<Map<string, unknown>> {
    const rows = await run<{ key: string; value: string }>(db, readSql, [names])
    const opened = rows.flatMap(({ key: name, value }): [string, unknown][] => {
      const text = unseal(key, value, name)
      return text === null ? [] : [[name, JSON.parse(text, BufferJSON.reviver)]]
    })
    return new Map(opened)
  }
  const write = (name: string, value: unknown) =>
    run(db, writeSql, [name, seal(key, JSON.stringify(value, BufferJSON.replacer), name)])

  return {
    /** Credentials for the library: stored ones, or new ones for a new device. */
    async open() {
      const known = (await read([CREDS])).get(CREDS)
      // Only the library writes it.
      const creds = (known ?? initAuthCreds()) as object
      return {
        creds,
        isLinked: known !== undefined,
        save: () => write(CREDS, creds),
        keys: {
          async get(type: string, ids: readonly string[]) {
            const found = await read(ids.map((id) => `${type}:${id}`))
            return Object.fromEntries(
              ids.map((id) => {
                const value = found.get(`${type}:${id}`) ?? null
                const isSyncKey = type === 'app-state-sync-key' && typeof value === 'object' && value !== null
                return [id, isSyncKey ? proto.Message.AppStateSyncKeyData.fromObject(value) : value]
              }),
            )
          },
          async set(data: Record<string, Record<string, unknown>>) {
            for (const [type, values] of Object.entries(data)) {
              const gone: string[] = []
              for (const [id, value] of Object.entries(values)) {
                if (value === null || value === undefined) gone.push(`${type}:${id}`)
                else await write(`${type}:${id}`, value)
              }
              if (gone.length > 0) await run(db, deleteSql, [gone])
            }
          },
        },
      }
    },
  }
}
