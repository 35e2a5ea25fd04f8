import { isFilePart } from '@qatra/contract/whatsapp/templates/template-values'
import type { ReplyTemplate } from '@qatra/contract/whatsapp/templates/templates'
import { eq } from 'drizzle-orm'
import type { Contact } from '../conversations/contacts.queries.ts'
import type { Ctx } from '../database/context.ts'
import { AppError } from '../lib/errors.ts'
import { isHeadingStored } from '../media/queries.ts'
import type { TemplateMessage } from '../providers/message.ts'
import { APPROVED, findSendable } from '../templates/queries.ts'
import { whatsappTemplates as templates } from '../templates/tables.ts'
import { fillTemplate, isFillable, readTemplate } from '../templates/words.ts'

/** Approved templates that a person can fill in. */
export async function listForReply({ db }: Pick<Ctx, 'db'>): Promise<ReplyTemplate[]> {
  const rows = await db
    .select()
    .from(templates)
    .where(eq(templates.status, APPROVED))
    .orderBy(templates.category, templates.name, templates.language)
  return rows.map(readTemplate).flatMap((read) => (isFillable(read) ? [read.shown] : []))
}

/**
 * @throws TEMPLATE_NOT_AVAILABLE if it is not approved, its values are invalid, or it is marketing to a contact that
 * opted out
 */
export async function requireTemplate(
  { db }: Pick<Ctx, 'db'>,
  contact: Contact,
  { name, language, variables }: { name: string; language: string; variables: readonly string[] },
): Promise<TemplateMessage> {
  const template = await findSendable({ db }, name, language)
  if (!template) throw new AppError('TEMPLATE_NOT_AVAILABLE', { reason: 'unknown' })
  if (template.shown.category === 'MARKETING' && contact.opted_out_at !== null) {
    throw new AppError('TEMPLATE_NOT_AVAILABLE', { reason: 'opted-out' })
  }
  const message = fillTemplate(template, variables)
  const file = template.shown.variables.findIndex(({ part }) => isFilePart(part))
  const part = template.shown.variables[file]?.part
  if (!message || (part && !(await isHeadingStored(db, part, variables[file] ?? ''))))
    throw new AppError('TEMPLATE_NOT_AVAILABLE', { reason: 'variables' })
  return message
}
