import { listSimulatedMessages, type SimulatedMessage } from '@qatra/contract/simulator/simulator'
import { verifyCode, verifyPhone } from '@qatra/contract/users/auth'
import { register } from 'prom-client'
import type { TestShop } from './app.ts'
import type { Visitor } from './visitor.ts'

/** Five digits; codes have four or six, so it is always wrong. */
export const WRONG = '00000'

const PATIENCE_MS = 120_000

/** Polls until the condition holds; jobs run in parallel to the test. */
export async function until<T>(what: string, look: () => Promise<T | null | undefined | false>): Promise<T> {
  const end = performance.now() + PATIENCE_MS
  for (;;) {
    const found = await look()
    if (found) return found
    if (performance.now() > end) throw new Error(`Waited in vain for ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** Messages on the simulated phone, newest first. */
export async function inbox(shop: TestShop, phone: string): Promise<SimulatedMessage[]> {
  const { body } = await shop.visitor().call(listSimulatedMessages, { query: { phone } })
  return body
}

export const codeIn = (message: SimulatedMessage): string => /^\d{4,6}/.exec(message.body)?.[0] ?? ''

/** Requests a code and reads it on the simulated phone. */
export async function askForCode(
  shop: TestShop,
  visitor: Visitor,
  phone: string,
  headers: Record<string, string> = {},
): Promise<string> {
  const before = (await inbox(shop, phone)).length
  const asked = await visitor.call(verifyPhone, { body: { phone } }, headers)
  if (asked.status !== 200) throw new Error(`No code: ${JSON.stringify(asked.body)}`)
  return until('the code', async () => {
    const messages = await inbox(shop, phone)
    // Other messages may arrive at the same time.
    return messages
      .slice(0, messages.length - before)
      .map(codeIn)
      .find(Boolean)
  })
}

export const tryCode = (visitor: Visitor, phone: string, code: string, headers: Record<string, string> = {}) =>
  visitor.call(verifyCode, { body: { phone, code } }, headers)

/** Signs in: requests, reads and enters a code. */
export async function signInByCode(shop: TestShop, phone: string, visitor = shop.visitor()): Promise<Visitor> {
  const answer = await tryCode(visitor, phone, await askForCode(shop, visitor, phone))
  if (answer.status !== 200) throw new Error(`Not signed in: ${JSON.stringify(answer.body)}`)
  return visitor
}

/** Moves codes and attempts back by this time. */
export async function timePasses(shop: TestShop, seconds: number): Promise<void> {
  await shop.query(
    `update login_codes set created_at = created_at - $1 * interval '1 second',
       expires_at = expires_at - $1 * interval '1 second', used_at = used_at - $1 * interval '1 second'`,
    [seconds],
  )
  await shop.query(`update login_failures set created_at = created_at - $1 * interval '1 second'`, [seconds])
}

/** Number of alerts of this kind in this process. */
export async function alarmsOf(kind: string): Promise<number> {
  const [, count] =
    new RegExp(`kind="${kind}"\\} (\\d+)`).exec(await register.getSingleMetricAsString('qatra_alarms_total')) ?? []
  return Number(count ?? 0)
}

let numbers = 10_000
/** Never ends in 9990 to 9994, which the simulator treats differently. */
export const newPhone = () => `+97333${(numbers += 1)}5`
