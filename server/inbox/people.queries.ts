import type { Output } from '@qatra/contract/endpoint'
import { rolePermissions } from '@qatra/contract/permissions'
import type { listAnswerers } from '@qatra/contract/whatsapp-desk'
import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import type { Ctx } from '../database/context.ts'
import { AppError } from '../lib/errors.ts'
import { users } from '../users/tables.ts'

const answering = (Object.keys(rolePermissions) as (keyof typeof rolePermissions)[]).filter((role) =>
  rolePermissions[role].includes('whatsapp.write'),
)

/** Users who may open the inbox: staff of the market. */
const mayAnswer = (): SQL =>
  and(
    sql`${users.role} in (${sql.join(
      answering.map((role) => sql`${role}`),
      sql`, `,
    )})`,
    eq(users.isActive, true),
    isNull(users.erasedAt),
  ) ?? sql`false`

export async function listPeople({ db }: Pick<Ctx, 'db'>): Promise<Output<typeof listAnswerers>> {
  return db
    .select({ id: users.id, name: users.name, phone: users.phone })
    .from(users)
    .where(mayAnswer())
    .orderBy(sql`${users.name} is null`, users.name, users.id)
    .limit(200)
}

/** @throws USER_NOT_FOUND */
export async function requireAnswerer({ db }: Pick<Ctx, 'db'>, id: number): Promise<void> {
  const [row] = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, id), mayAnswer()))
  if (!row) throw new AppError('USER_NOT_FOUND')
}
