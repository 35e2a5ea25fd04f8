import type { Input } from '@qatra/contract/endpoint'
import { type SimulatedMessage, sendSimulatedMessage } from '@qatra/contract/simulator/simulator'
import type { TestShop } from './app.ts'
import { inbox, until } from './codes.ts'

type Written = Omit<NonNullable<Input<typeof sendSimulatedMessage>['body']>, 'from'>

export interface Chat {
  phone: string
  /** Sends a message, waits until all replies were sent, and returns them, oldest first. */
  say: (written: string | Written) => Promise<string>
  tap: (title: string) => Promise<string>
  /** The replies to the last message. */
  last: () => SimulatedMessage[]
}

/** A customer with a simulated phone. */
export function chat(shop: TestShop, phone: string, always: Partial<Written> = {}): Chat {
  let answers: SimulatedMessage[] = []
  const outgoing = async () => (await inbox(shop, phone)).filter(({ direction }) => direction === 'outgoing')

  async function say(written: string | Written): Promise<string> {
    const known = new Set((await outgoing()).map(({ id }) => id))
    const body = typeof written === 'string' ? { body: written } : written
    const sent = await shop.visitor().call(sendSimulatedMessage, { body: { from: phone, ...always, ...body } })
    if (sent.status !== 200) throw new Error(`Not written: ${JSON.stringify(sent.body)}`)
    await until('the message to be worked on', async () => {
      const [row] = await shop.query(
        `select from whatsapp_messages m where m.message_id = $1 and m.processed and not exists (
           select from whatsapp_messages o where o.contact_id = m.contact_id and o.status = 'queued')`,
        [sent.body.id],
      )
      return row !== undefined
    })
    answers = (await outgoing()).filter(({ id }) => !known.has(id)).reverse()
    return answers.map(({ body: text }) => text.replaceAll('\u00a0', ' ')).join('\n')
  }
  return {
    phone,
    say,
    tap: (title) => say({ type: 'button', body: title }),
    last: () => answers,
  }
}
