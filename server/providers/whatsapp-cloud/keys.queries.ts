import { type WhatsappKey, whatsappKeys as names } from '@qatra/contract/whatsapp/connection/setup'
import type { Config } from '../../config/config.ts'
import type { WhatsappConfig } from '../../config/messaging.ts'
import type { Db } from '../../database/db.ts'
import { createReferenceData, type ReferenceData } from '../../database/reference-data.ts'
import type { App } from '../../http/runtime.ts'
import { keyFor, unseal } from '../../lib/secrets.ts'
import { whatsappKeys } from './tables.ts'

export const sealingKey = (secret: Buffer) => keyFor(secret, 'WhatsApp keys')

/** The entered keys; a value is null if it was sealed with another secret of the installation. */
export async function readEnteredKeys(db: Db, secret: Buffer) {
  const rows = await db.select().from(whatsappKeys)
  return rows.flatMap(({ name: text, sealed, updatedBy, updatedAt }) => {
    const name = names.find((one) => one === text)
    return name ? [{ name, value: unseal(sealingKey(secret), sealed, name), updatedBy, updatedAt }] : []
  })
}

/** The environment's settings with the entered keys in their gaps. */
function withEntered(
  given: WhatsappConfig,
  entered: readonly { name: WhatsappKey; value: string | null }[],
): WhatsappConfig {
  const open = entered.filter(({ name, value }) => given[name] === null && value !== null)
  const values: Partial<WhatsappConfig> = Object.fromEntries(open.map(({ name, value }) => [name, value]))
  return { ...given, ...values, entered: open.map(({ name }) => name) }
}

/** The settings of WhatsApp in this process, which follow what any process stores. */
export const followWhatsappKeys = ({
  config: { whatsapp, secret },
  db,
  listener,
  log,
}: Pick<App, 'config' | 'db' | 'listener' | 'log'>): Promise<ReferenceData<WhatsappConfig>> =>
  createReferenceData(async (from) => withEntered(whatsapp, await readEnteredKeys(from, secret)), db, listener, log)

/** The configuration with the present settings of WhatsApp. They are read at each use and never kept. */
export const withPresentKeys = (
  config: Config,
  { current }: Pick<ReferenceData<WhatsappConfig>, 'current'>,
): Config => ({
  ...config,
  get whatsapp() {
    return current()
  },
})
