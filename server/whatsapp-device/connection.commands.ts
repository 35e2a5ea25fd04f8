import type { Connection } from '@qatra/contract/whatsapp-connection'
import { sql } from 'drizzle-orm'
import type { Config } from '../config/config.ts'
import type { Ctx } from '../database/context.ts'
import { emit, publish } from '../jobs/domain-events.ts'
import { AppError } from '../lib/errors.ts'
import { readConnection } from './connection.queries.ts'
import { whatsappAuth, whatsappConnection } from './tables.ts'

/**
 * Deletes the linked device's keys; its process shows a new code when it sees the request. Also replaces a dead
 * session.
 * @throws NOTHING_TO_RESET if the provider manages the connection
 */
export async function resetConnection(ctx: Ctx, config: Config): Promise<Connection> {
  const before = await readConnection(ctx, config)
  if (!before.mayReset) throw new AppError('NOTHING_TO_RESET')
  if (before.provider === 'web') {
    const initial = {
      state: 'loading' as const,
      sealedQr: null,
      qrExpiresAt: null,
      phone: null,
      error: null,
      connectedAt: null,
      resetAskedAt: sql`now()`,
      updatedAt: sql`now()`,
    }
    await ctx.db.delete(whatsappAuth)
    await ctx.db
      .insert(whatsappConnection)
      .values({ id: 1, ...initial })
      .onConflictDoUpdate({ target: whatsappConnection.id, set: initial })
  }
  await emit(ctx, {
    name: 'connection.reset',
    action: 'reset',
    resource: 'connection',
    id: before.provider,
    changes: [{ field: 'state', from: before.state, to: before.provider === 'web' ? 'loading' : before.state }],
  })
  await publish(ctx, 'connection.changed', {})
  return readConnection(ctx, config)
}
