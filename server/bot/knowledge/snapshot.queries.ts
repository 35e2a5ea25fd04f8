import { sizeKey } from '@qatra/contract/products/sizes'
import { type AliasType, type AnswerKey, ownAnswerId, topicOf } from '@qatra/contract/whatsapp/bot'
import type { Catalogue } from '../../catalogue/queries.ts'
import type { Db } from '../../database/db.ts'
import type { ReferenceData } from '../../database/reference-data.ts'
import { landmarks } from '../../geocoding/landmarks.ts'
import type { Alias } from '../understanding/names.ts'
import { botAliases, botAnswers } from './tables.ts'

export interface AnswerTexts {
  ar: string
  en: string
}

/** What staff taught the bot; held in memory by every process. */
export interface Knowledge {
  aliases: readonly Alias[]
  answers: ReadonlyMap<AnswerKey, AnswerTexts>
}

/** The catalogue with what staff taught the bot. */
export interface KnownShop extends Catalogue, Knowledge {}

/** Joins the two snapshots of a process, anew after each change of one of them. */
export function joinShop(
  catalogue: Pick<ReferenceData<Catalogue>, 'current'>,
  knowledge: Pick<ReferenceData<Knowledge>, 'current'>,
): () => KnownShop {
  let from: readonly unknown[] = []
  let joined: KnownShop = { ...catalogue.current(), ...knowledge.current() }
  return () => {
    const [shop, known] = [catalogue.current(), knowledge.current()]
    if (from[0] !== shop || from[1] !== known) joined = { ...shop, ...known }
    from = [shop, known]
    return joined
  }
}

export const ownKey = (id: number): AnswerKey => `own:${id}`

export async function readKnowledge(db: Db): Promise<Knowledge> {
  const answers = await db.select().from(botAnswers).orderBy(botAnswers.id)
  const aliases = await db.select().from(botAliases).orderBy(botAliases.id)
  return {
    answers: new Map(
      answers.flatMap(({ id, topic, ar, en }): [AnswerKey, AnswerTexts][] =>
        ar === null || en === null ? [] : [[topic ?? ownKey(id), { ar, en }]],
      ),
    ),
    aliases: aliases.flatMap((row) => aliasOf(row) ?? []),
  }
}

type AliasRow = typeof botAliases.$inferSelect

/** The alias of a row; null if its landmark no longer exists. */
export function aliasOf(row: Omit<AliasRow, 'id' | 'key' | 'createdBy' | 'createdAt'>): Alias | null {
  const { text, vendorId, productId, areaId, size, landmark, topic, answerId } = row
  if (vendorId !== null) return { text, means: { type: 'vendor', id: vendorId } }
  if (productId !== null) return { text, means: { type: 'product', id: productId } }
  if (areaId !== null) return { text, means: { type: 'area', ids: [areaId], needsContext: false } }
  if (size !== null) return { text, means: { type: 'size', size } }
  if (answerId !== null) return { text, means: { type: 'topic', topic: ownKey(answerId) } }
  if (topic !== null) return { text, means: { type: 'topic', topic } }
  const index = landmarks.findIndex(({ name }) => name === landmark)
  return index === -1 ? null : { text, means: { type: 'landmark', index } }
}

/** The columns of a target of the API; null if there is no such target. */
export function columnsOf(type: AliasType, target: string, shop: KnownShop) {
  const id = /^[1-9]\d{0,8}$/.test(target) ? Number(target) : 0
  switch (type) {
    case 'vendor':
      return shop.vendors.get(id)?.isActive ? { vendorId: id } : null
    case 'product':
      return shop.products.has(id) ? { productId: id } : null
    case 'area':
      return shop.areas.has(id) ? { areaId: id } : null
    case 'size':
      return [...shop.products.values()].some(({ size }) => sizeKey(size) === target) ? { size: target } : null
    case 'landmark':
      return landmarks.some(({ name }) => name === target) ? { landmark: target } : null
    case 'answer': {
      const topic = topicOf(target)
      const answerId = ownAnswerId(target)
      if (topic !== null) return { topic }
      return answerId === null ? null : { answerId }
    }
  }
}

/** Type and target of a row, as the API names them. */
export function targetOf(row: AliasRow): { type: AliasType; target: string } {
  const { vendorId, productId, areaId, size, landmark, topic, answerId } = row
  if (vendorId !== null) return { type: 'vendor', target: String(vendorId) }
  if (productId !== null) return { type: 'product', target: String(productId) }
  if (areaId !== null) return { type: 'area', target: String(areaId) }
  if (size !== null) return { type: 'size', target: size }
  if (landmark !== null) return { type: 'landmark', target: landmark }
  return { type: 'answer', target: topic ?? ownKey(answerId ?? 0) }
}
