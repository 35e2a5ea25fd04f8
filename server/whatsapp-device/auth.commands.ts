import { type Db, run, statement } from '../database/db.ts'
import { keyFor, seal, unseal } from '../lib/secrets.ts'
import type { DeviceLibrary } from './library.ts'

const readSql = statement('device-keys', 'select key, value from whatsapp_auth where key = any($1::text[])')
const writeSql = statement(
  'device-key-write',
  `insert into whatsapp_auth (key, value) values ($1, $2)
   on conflict (key) do update set value = excluded.value, updated_at = now()`,
)
const deleteSql = statement('device-key-delete', 'delete from whatsapp_auth where key = any($1::text[])')
const forgetSql = statement('device-keys-forget', 'delete from whatsapp_auth')

const CREDS = 'creds'

/** All keys of the linked device; whoever holds them holds the shop's number. */
export const forgetKeys = (db: Db) => run(db, forgetSql)

/**
 * The library's keys as rows, each sealed for its own name under a key outside the database, so that a copy of the
 * database opens nothing and no row can stand in for another.
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
    /** What the library is started with: a device that is new, or the one that was linked before. */
    async open() {
      const known = (await read([CREDS])).get(CREDS)
      // What was kept was the library's own.
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
