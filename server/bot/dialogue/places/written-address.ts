import { listIn, nameIn } from '@qatra/contract/lib/lang'
import { addressText } from '@qatra/contract/lib/text'
import { blockDoubt } from '@qatra/contract/places/block-hundreds'
import { neededParts, type PartName, partNames } from '@qatra/contract/users/address-parts'
import type { AddressParts } from '@qatra/contract/users/auth'
import { type AddressSlot, fixed, withParts } from '../../understanding/address.ts'
import { addressOf } from '../../understanding/reading.ts'
import { type Memory, remember } from '../memory.ts'
import { enter, type Next, replyText, say, type TurnContext } from '../replies.ts'
import { areaOf } from './places.ts'

export const partsIn = ({ meaning }: TurnContext): AddressParts | null => {
  const parts = meaning.slots.address?.parts ?? {}
  return Object.keys(parts).length > 0 ? parts : null
}

export const partText = (turn: TurnContext, name: PartName, value: string): string =>
  say(turn, `bot.address.part.${name}`, { value })

export const joinedAddress = (turn: TurnContext, pieces: readonly string[]): string =>
  pieces.reduce((address, area) => say(turn, 'bot.address.join', { address, area }))

/** What a driver needs to find the door and is not said. The area counts for the block. */
export const missingIn = ({ parts, named }: Pick<AddressSlot, 'parts' | 'named'>): PartName[] =>
  neededParts.filter((name) => name !== 'block' && parts[name] === undefined && !named.includes(name))

const SHORT = 20
const LONGEST = 500

/**
 * Keeps an address as written, with the area's name if it is short. Without road or building it is the start of one,
 * unless it has to do. False if it is no whole address.
 */
export function storeAddress(
  turn: TurnContext,
  address: Pick<AddressSlot, 'parts' | 'named' | 'text'>,
  isEnough = false,
): boolean {
  const { memory } = turn
  const { parts, text } = address
  const area = areaOf(turn)
  const isShort = text.length >= 4 && text.length < SHORT
  const written = addressText.safeParse(
    isShort && area ? joinedAddress(turn, [text, nameIn(memory.language, area)]) : text,
  )
  const isWhole = written.success && (isEnough || missingIn(address).length === 0)
  remember(memory, { address: isWhole ? written.data : null, addressStart: isWhole ? null : text.slice(0, LONGEST) })
  remember(memory, { addressParts: Object.keys(parts).length > 0 ? parts : null, addressId: null })
  pointOutBlock(turn)
  return isWhole
}

export function askAddress(turn: TurnContext): Next {
  const { memory, facts } = turn
  const area = areaOf(turn)
  if (!area) return 'place'
  enter(turn, 'address')
  const { addressStart: start } = memory
  const missing = start === null ? [] : missingIn(addressOf(start, facts.catalogue) ?? { parts: {}, named: [] })
  if (start === null || missing.length === 0)
    return replyText(turn, say(turn, 'bot.address.ask', { area: nameIn(memory.language, area) }))
  memory.isRefused = true
  const names = missing.map((name) => say(turn, `bot.address.name.${name === 'road' ? 'road' : 'building'}`))
  const example = joinedAddress(
    turn,
    missing.map((name) => partText(turn, name, name === 'road' ? '3810' : '12')),
  )
  return replyText(
    turn,
    say(turn, 'bot.address.missing', { address: start, parts: listIn(memory.language, names), example }),
  )
}

/**
 * `road is 3811`, `flat 5`, of an address that is known: the parts that are said take the place of those that were
 * written, or join them; a whole address takes the place of the other. False if none is said.
 */
export function correctAddress(turn: TurnContext): boolean {
  const { memory, facts, meaning } = turn
  const said = meaning.slots.address
  if (memory.address === null || said === null) return false
  const text = memory.address
  const before = { text, parts: memory.addressParts ?? addressOf(text, facts.catalogue)?.parts ?? {} }
  const parts = partsIn(turn) ?? fixed(before.parts, said.fix)
  const names = partNames.filter((name) => parts[name] !== undefined)
  if (names.length === 0) return false
  if (neededParts.every((name) => parts[name] !== undefined)) return storeAddress(turn, said)
  const added = names.filter((name) => before.parts[name] === undefined)
  const changed = withParts(before, parts)
  const pieces = added.map((name) => partText(turn, name, parts[name] ?? ''))
  const written = addressText.safeParse(joinedAddress(turn, [changed.text, ...pieces]))
  if (!written.success) return false
  remember(memory, { address: written.data, addressParts: changed.parts, addressId: null })
  pointOutBlock(turn)
  return true
}

/** Asks for a second look at a block that is unusual in the area. The address stays as written. */
export function pointOutBlock(turn: TurnContext): void {
  const { memory } = turn
  const area = areaOf(turn)
  const block = memory.addressParts?.block
  const doubt = area && block ? blockDoubt(block, { areaCode: area.areaId, pinBlock: null }) : null
  if (!area || !block || !doubt || !('hundreds' in doubt)) return
  const hundreds = doubt.hundreds.join(' / ')
  replyText(turn, say(turn, 'bot.address.block', { area: nameIn(memory.language, area), hundreds, block }))
}

/** An address that was given or corrected, where the next question does not show it. */
export function sayAddress(turn: TurnContext, before: Pick<Memory, 'address' | 'addressStart'>): void {
  const { memory, replies } = turn
  const { address, addressStart, addressId, state } = memory
  const given = address ?? addressStart
  const isKnown = before.address !== null || before.addressStart !== null
  const isUnseen = state === 'cart' || (isKnown && (state === 'notes' || state === 'name'))
  if (given === null || addressId !== null || given === (before.address ?? before.addressStart) || !isUnseen) return
  replies.unshift({ type: 'text', text: say(turn, 'bot.address.noted', { address: given }) })
}
