import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { ReceivedType } from '../../conversations/received.ts'
import { problemOf } from '../../providers/message.ts'
import { botWorld, newcomer, regular, settled } from '../../test/fixtures/bot-world.ts'
import type { Person } from './turn-context.ts'

/**
 * Scripts of conversations. `> ` text of the customer, `» ` text forwarded from another, `[…]` tap, `@` place, `{…}` another message, `(…) n` sent n
 * seconds ago; `< ` expected parts of the reply, separated by ` | `; `= ` expected state; `~ ` minutes that pass; `! `
 * a change in the shop. The head names the customer; a new one by default.
 */
interface Script {
  title: string
  who: string
  lines: readonly string[]
}

function scriptsIn(file: string): Script[] {
  const text = readFileSync(new URL(`./scripts/${file}.txt`, import.meta.url), 'utf8')
  return text
    .split(/^# (?!↑)/m)
    .slice(1)
    .map((part) => {
      const [head = '', ...lines] = part.split('\n')
      const [, title = head, who = 'newcomer'] = /^(.*?) \[(\w+)\]$/.exec(head) ?? []
      return { title, who, lines: lines.filter((line) => line !== '' && !line.startsWith('#')) }
    })
}

const people: Readonly<Record<string, Person>> = {
  newcomer,
  regular,
  settled,
  hidden: { phone: null, profileName: null, account: null },
  off: { ...newcomer, account: regular.account && { ...regular.account, isActive: false } },
}

type World = ReturnType<typeof botWorld>

async function act(world: World, line: string): Promise<void> {
  const rest = line.slice(2)
  const [tapped, media, late] = [/^\[(.*)\]$/.exec(line), /^\{(\w+):?(.*)\}$/.exec(line), /^\((.*)\) (\d+)$/.exec(line)]
  if (line.startsWith('> ')) await world.write(rest)
  else if (line.startsWith('» ')) await world.say({ content: rest, parts: { isForwarded: true } })
  else if (tapped?.[1]?.startsWith('confirm:')) await pressOld(world, tapped[1])
  else if (tapped) await world.tap(tapped[1] ?? '')
  else if (media) await world.say(mediaOf(media[1] ?? '', media[2] ?? ''))
  else if (late) await world.say({ content: late[1] ?? '', age: Number(late[2]) })
  else if (line.startsWith('@')) await world.pin(...pointOf(line))
  else if (line.startsWith('~')) world.now += Number(rest) * 60_000
  else if (line.startsWith('!')) happen(world, rest)
  else throw new Error(`Not a line of a script: ${line}`)
}

const pressOld = (world: World, id: string) => world.say({ type: 'button', content: 'Confirm order', parts: { id } })
const pointOf = (line: string): [number, number] => {
  const [lat = 0, lng = 0] = line.slice(1).split(',').map(Number)
  return [lat, lng]
}
const mediaOf = (type: string, content: string) => ({
  type: type as ReceivedType, // the scripts name kinds of messages
  content,
  parts: type === 'button' ? { id: content } : { mediaId: 'media' },
})

function happen(world: World, what: string): void {
  const [verb, ...rest] = what.split(' ')
  if (verb === 'deliver') world.deliver()
  else if (verb === 'holds') world.held = { [Number(rest[0])]: Number(rest[1]) }
  else if (verb === 'raise') world.raisePrices(0.1)
  else if (verb === 'refuse') world.refusals.place = { code: rest[1] ?? '' }
  else if (verb === 'import') {
    // A block in the middle of Seef.
    const number = Number(rest[1])
    const block = { number, areaId: null, centre: { lat: 26.239, lng: 50.5385 } }
    Object.assign(world.catalogue, { blocks: new Map([[number, block]]) })
  } else if (verb === 'off') {
    for (const product of world.catalogue.products.values())
      if (product.size === rest[0]) Object.assign(product, { isActive: false })
  } else throw new Error(`Nothing happens that is called ${what}`)
}

const plain = (text: string) => text.replaceAll('\u00a0', ' ')

function check(world: World, line: string): void {
  const rest = line.slice(2)
  if (line.startsWith('<')) {
    for (const part of rest.split(' | ')) expect(plain(world.text())).toContain(plain(part))
    return
  }
  const [what, value] = rest.split(' ')
  const found = {
    placed: world.placed.length,
    cart: world.lines.size,
    person: world.calls.length,
    state: world.memory.state,
    lang: world.memory.language,
  }
  expect(found).toMatchObject({ [what ?? '']: typeof found[what as 'placed'] === 'number' ? Number(value) : value })
}

describe.each(['arabic', 'english', 'arabizi'])('a conversation in %s', (file) => {
  it.each(scriptsIn(file).map((script) => [script.title, script] as const))('%s', async (_, { who, lines }) => {
    const world = botWorld(people[who])
    for (const line of lines) {
      if (/^[<=]/.test(line)) check(world, line)
      else await act(world, line)
      for (const reply of world.replies) expect(problemOf(reply)).toBeNull()
    }
  })
})

it('finds dozens of conversation scripts', () => {
  const all = ['arabic', 'english', 'arabizi'].flatMap(scriptsIn)
  expect(all.length).toBeGreaterThanOrEqual(60)
  expect(all.every(({ lines }) => lines.some((line) => /^[<=]/.test(line)))).toBe(true)
})

describe('the messages from the first word to the order', () => {
  it.each([
    ['ar', ['٤ كراتين هيرات نص لتر إلى السيف', 'إتمام الطلب', 'مبنى 12، طريق 3810، مجمع 428', 'لا', 'مريم علي', 'نعم']],
    [
      'en',
      [
        '4 cartons hayrat half litre to Seef',
        'checkout',
        'Building 12, road 3810, block 428',
        'no',
        'Sara Ahmed',
        'yes',
      ],
    ],
  ])('are six for a new customer (%s)', async (_, messages) => {
    const world = botWorld(newcomer)
    for (const message of messages) await world.write(message)
    expect([messages.length, world.placed.length]).toEqual([6, 1])
  })

  it.each([
    ['كرر آخر طلب', 'نعم'],
    ['order again', 'yes'],
    ['karrer akher talab', 'ee'],
  ])('are two for one who orders again: %s, %s', async (...messages) => {
    const world = botWorld(regular)
    for (const message of ['4 cartons hayrat half litre', 'checkout', 'yes']) await world.write(message)
    world.deliver()
    for (const message of messages) await world.write(message)
    expect(world.placed.length).toBe(2)
  })
})
