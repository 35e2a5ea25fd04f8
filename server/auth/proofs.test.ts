import { finishProof, getMe, startProof, verifyPhone } from '@qatra/contract/auth'
import { beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../platform/config.ts'
import { startShop, type TestShop } from '../test/app.ts'
import { askForCode, inbox, newPhone, signInByCode, tryCode, until, WRONG } from '../test/codes.ts'
import { newProofWord, proofWordIn } from './proof-words.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await startShop()
})
const write = (from: string, body: string, of = shop) =>
  of.visitor().send('POST', '/api/simulator/messages', { body: { from, body } })
const start = async (phone: string, visitor = shop.visitor()) => {
  const answer = await visitor.call(startProof, { body: { phone } })
  return { visitor, ...answer, finish: () => visitor.call(finishProof, { body: { secret: answer.body.secret } }) }
}
const answered = (phone: string, words: RegExp, of = shop) =>
  until('the answer', async () => (await inbox(of, phone)).some(({ body }) => words.test(body)))

describe('a sign-in by a message to the shop', () => {
  it('works once the phone has written the word, and once only', async () => {
    const phone = newPhone()
    const proof = await start(phone)
    expect(proof.body).toMatchObject({
      text: expect.stringMatching(/^LOGIN [A-Z2-9]{6}$/),
      url: expect.stringContaining('/simulator'),
    })
    expect((await proof.finish()).body).toEqual({ success: false, user: null })
    await write(phone, proof.body.text.toLowerCase())
    await answered(phone, /أكدنا رقمك/)
    const answers = await Promise.all(Array.from({ length: 20 }, () => proof.finish()))
    expect(answers.filter(({ body }) => body.success === true)).toHaveLength(1)
    expect((await proof.visitor.call(getMe)).body).toMatchObject({ phone, isVerified: true })
    expect((await proof.finish()).refusal.code).toBe('INVALID_CODE')
    const stored = JSON.stringify(await shop.query('select * from login_proofs'))
    expect(stored).not.toContain(proof.body.secret)
    expect(stored).not.toContain(proof.body.text.slice(6))
  })

  it('is the page’s that showed the word, not of another that waits for the same phone', async () => {
    const phone = newPhone()
    const [attacker, owner] = [await start(phone), await start(phone)]
    await write(phone, owner.body.text)
    await answered(phone, /أكدنا رقمك/)
    expect((await attacker.finish()).body.success).toBe(false)
    expect((await owner.finish()).body.success).toBe(true)
  })

  it('is not given to a word from another phone, a wrong or an old word', async () => {
    const [phone, other] = [newPhone(), newPhone()]
    const proof = await start(phone)
    await write(other, proof.body.text)
    await answered(other, /انتهت/)
    await write(phone, `LOGIN ${newProofWord()}`)
    await answered(phone, /انتهت/)
    expect((await proof.finish()).body.success).toBe(false)
    await shop.query(`update login_proofs set expires_at = now()`)
    await write(phone, proof.body.text)
    await until(
      'both answers',
      async () => (await inbox(shop, phone)).filter(({ body }) => /انتهت/.test(body)).length === 2,
    )
    expect((await proof.finish()).refusal.code).toBe('INVALID_CODE')
    expect((await shop.visitor().call(finishProof, { body: { secret: 'x'.repeat(43) } })).refusal.code).toBe(
      'INVALID_CODE',
    )
  })

  it('is not given to an account that shows no number, whatever number it gave before', async () => {
    const phone = newPhone()
    const hidden = (body: object) =>
      shop.visitor().send('POST', '/api/simulator/messages', { body: { from: phone, hidesPhone: true, ...body } })
    await hidden({ type: 'contact' })
    await until('the number', async () => {
      const rows = await shop.query('select id from contacts where phone = $1 and business_scoped_id is not null', [
        phone,
      ])
      return rows.length === 1
    })
    const proof = await start(phone)
    await hidden({ body: proof.body.text })
    await answered(phone, /انتهت/)
    expect((await proof.finish()).body.success).toBe(false)
  })

  it('answers the same for staff, and signs no staff in', async () => {
    const proof = await start('+97336000002')
    expect(Object.keys(proof.body).sort()).toEqual(Object.keys((await start(newPhone())).body).sort())
    await write('+97336000002', proof.body.text)
    await answered('+97336000002', /انتهت|expired/)
    expect((await proof.finish()).body.success).toBe(false)
  })

  it('is offered where the shop has a number, to phones that may get codes', async () => {
    const { whatsapp } = readConfig({ NODE_ENV: 'test' })
    const real = await startShop({
      simulator: false,
      whatsapp: { ...whatsapp, provider: 'cloud', number: '+97317000000' },
    })
    const { body } = await real.visitor().call(startProof, { body: { phone: newPhone() } })
    expect(body.url).toBe(`https://wa.me/97317000000?text=${encodeURIComponent(body.text)}`)
    const bare = await startShop({ simulator: false, whatsapp: { ...whatsapp, provider: 'cloud' } })
    expect((await bare.visitor().call(startProof, { body: { phone: newPhone() } })).refusal.code).toBe('CODE_NOT_SENT')
    expect((await shop.visitor().call(startProof, { body: { phone: '+4915112345678' } })).refusal.code).toBe(
      'PHONE_NOT_ALLOWED',
    )
  })

  it('lets an owner in whose codes somebody else has used up', async () => {
    const limited = await startShop({ rateLimits: true, trustedProxies: ['127.0.0.1'] })
    const phone = newPhone()
    const known = await signInByCode(limited, phone)
    let network = 0
    const stranger = () => ({ 'x-forwarded-for': `10.0.${(network += 1)}.1` })
    for (let round = 0; round < 4; round += 1) {
      await limited.query(`update login_codes set created_at = created_at - interval '20 minutes'`)
      await limited.visitor().call(verifyPhone, { body: { phone } }, stranger())
      for (let n = 0; n < 6; n += 1) await tryCode(limited.visitor(), phone, WRONG, stranger())
    }
    const refused = await limited.visitor().call(verifyPhone, { body: { phone } }, stranger())
    expect(refused.status).toBe(429)
    // The session stays, the known device gets codes, and a new device gets in by a message.
    expect((await known.call(getMe)).status).toBe(200)
    await limited.query(`update login_codes set created_at = created_at - interval '2 minutes'`)
    expect(await askForCode(limited, known, phone)).toMatch(/^\d{4,6}$/)
    const visitor = limited.visitor()
    const { body } = await visitor.call(startProof, { body: { phone } })
    await write(phone, body.text, limited)
    await answered(phone, /أكدنا رقمك/, limited)
    expect((await visitor.call(finishProof, { body: { secret: body.secret } })).body.success).toBe(true)
  })

  it('is asked for so often from one network, and no more', async () => {
    const limited = await startShop({ rateLimits: true })
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => limited.visitor().call(startProof, { body: { phone: newPhone() } })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20)
    expect(answers.find(({ status }) => status !== 200)?.refusal.code).toBe('TOO_MANY_REQUESTS')
  })
})

it.each([
  ['LOGIN 7F3K2M', '7F3K2M'],
  ['login 7f3k2m', '7F3K2M'],
  ['  Log in: 7F3 K2M ', '7F3K2M'],
  ['دخول 7F3K2M', '7F3K2M'],
  ['LOGIN ٧F٣K٢M', '7F3K2M'],
  ['LOGIN', null],
  ['please LOGIN 7F3K2M', null],
  ['LOGIN 7F3K2M and two cartons', null],
])('%j says %j', (text, word) => expect(proofWordIn(text)).toBe(word))
