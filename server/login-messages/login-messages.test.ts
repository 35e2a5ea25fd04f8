import { finishMessageLogin, getMe, startMessageLogin, verifyPhone } from '@qatra/contract/users/auth'
import { beforeAll, describe, expect, it } from 'vitest'
import { newLoginWord, parseLoginAnswer, parseLoginWord } from '../auth/message-login.ts'
import { readConfig } from '../config/config.ts'
import { startShop, type TestShop } from '../test/app.ts'
import { askForCode, inbox, newPhone, signInByCode, tryCode, until, WRONG } from '../test/fixtures/codes.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await startShop({ databasePoolSize: 20 })
})
const write = (from: string, body: string, of = shop) =>
  of.visitor().send('POST', '/api/simulator/messages', { body: { from, body } })
const start = async (phone: string, visitor = shop.visitor()) => {
  const answer = await visitor.call(startMessageLogin, { body: { phone } })
  return {
    visitor,
    ...answer,
    finish: () => visitor.call(finishMessageLogin, { body: { secret: answer.body.secret } }),
  }
}
/** Sends the word, waits for the question, and replies with the digits of the page. */
const prove = async (phone: string, { body }: { body: { text: string; answer: string } }, of = shop) => {
  const questions = async () => (await inbox(of, phone)).filter((one) => /هناك من يدخل/.test(one.body)).length
  const before = await questions()
  await write(phone, body.text, of)
  await until('the question', async () => (await questions()) > before)
  await write(phone, body.answer, of)
  await answered(phone, /أكدنا رقمك/, of)
}
const pressNotMe = (from: string) =>
  shop.visitor().send('POST', '/api/simulator/messages', { body: { from, type: 'button', body: 'لست أنا' } })
const answered = (phone: string, words: RegExp, of = shop) =>
  until('the answer', async () => (await inbox(of, phone)).some(({ body }) => words.test(body)))

describe('sign-in by a message to the shop', () => {
  it('works once, after the phone has replied with the digits of the page', async () => {
    const phone = newPhone()
    const login = await start(phone)
    expect(login.body).toMatchObject({
      text: expect.stringMatching(/^LOGIN [A-Z2-9]{6}$/),
      answer: expect.stringMatching(/^[1-9]\d$/),
      url: expect.stringContaining('/simulator'),
    })
    expect((await login.finish()).body).toEqual({ success: false, isAsked: false, user: null })
    await write(phone, login.body.text.toLowerCase())
    await answered(phone, /هناك من يدخل/)
    expect((await login.finish()).body).toEqual({ success: false, isAsked: true, user: null })
    await write(phone, login.body.answer)
    await answered(phone, /أكدنا رقمك/)
    const answers = await Promise.all(Array.from({ length: 20 }, () => login.finish()))
    expect(answers.filter(({ body }) => body.success === true)).toHaveLength(1)
    expect((await login.visitor.call(getMe)).body).toMatchObject({ phone, isVerified: true })
    expect((await login.finish()).refusal.code).toBe('INVALID_CODE')
    const stored = JSON.stringify(await shop.query('select * from message_logins'))
    expect(stored).not.toContain(login.body.secret)
    expect(stored).not.toContain(login.body.text.slice(6))
  })

  it('signs in only the page that showed the word, not another page waiting for the same phone', async () => {
    const phone = newPhone()
    const [attacker, owner] = [await start(phone), await start(phone)]
    await prove(phone, owner)
    expect((await attacker.finish()).body.success).toBe(false)
    expect((await owner.finish()).body.success).toBe(true)
  })

  it('is refused for a word from another phone and for wrong or expired words', async () => {
    const [phone, other] = [newPhone(), newPhone()]
    const login = await start(phone)
    await write(other, login.body.text)
    await answered(other, /انتهت/)
    await write(phone, `LOGIN ${newLoginWord()}`)
    await answered(phone, /انتهت/)
    expect((await login.finish()).body.success).toBe(false)
    await shop.query(`update message_logins set expires_at = now() - interval '1 second'`)
    await write(phone, login.body.text)
    await until(
      'both answers',
      async () => (await inbox(shop, phone)).filter(({ body }) => /انتهت/.test(body)).length === 2,
    )
    expect((await login.finish()).refusal.code).toBe('INVALID_CODE')
    expect((await shop.visitor().call(finishMessageLogin, { body: { secret: 'x'.repeat(43) } })).refusal.code).toBe(
      'INVALID_CODE',
    )
  })

  it('is refused for an account that hides its number, even if it has shared it before', async () => {
    const phone = newPhone()
    const hidden = (body: object) =>
      shop.visitor().send('POST', '/api/simulator/messages', { body: { from: phone, hidesPhone: true, ...body } })
    await write(phone, 'hello')
    await until('the number', async () => {
      const rows = await shop.query('select id from contacts where phone = $1 and business_scoped_id is not null', [
        phone,
      ])
      return rows.length === 1
    })
    const login = await start(phone)
    await hidden({ body: login.body.text })
    await answered(phone, /انتهت/)
    expect((await login.finish()).body.success).toBe(false)
  })

  it('returns the same response for staff but does not sign them in', async () => {
    const login = await start('+97336000002')
    expect(Object.keys(login.body).sort()).toEqual(Object.keys((await start(newPhone())).body).sort())
    await write('+97336000002', login.body.text)
    await answered('+97336000002', /انتهت|expired/)
    expect((await login.finish()).body.success).toBe(false)
  })

  it('refuses the sign-in of a person who became staff after the phone was proven', async () => {
    const phone = newPhone()
    await signInByCode(shop, phone)
    const login = await start(phone)
    await prove(phone, login)
    await shop.query(`update users set role = 'driver', vendor_id = 1 where phone = $1`, [phone])
    expect((await login.finish()).refusal.code).toBe('INVALID_CODE')
    expect((await login.visitor.call(getMe)).status).toBe(401)
    // The refused attempt uses up the word, or the word expires; it cannot start a session later.
    await shop.query(`update users set role = 'customer', vendor_id = null where phone = $1`, [phone])
    const sessions = `select count(*)::int as count from sessions join users on users.id = user_id where phone = $1`
    expect(await shop.query(sessions, [phone])).toEqual([{ count: 1 }])
  })

  it('is offered if the shop has a number, to every mobile: also of countries that get no codes', async () => {
    const { whatsapp } = readConfig({ NODE_ENV: 'test' })
    const real = await startShop({
      simulator: false,
      whatsapp: { ...whatsapp, provider: 'cloud', number: '+97317000000' },
    })
    const { body } = await real.visitor().call(startMessageLogin, { body: { phone: newPhone() } })
    expect(body.url).toBe(`https://wa.me/97317000000?text=${encodeURIComponent(body.text)}`)
    const bare = await startShop({ simulator: false, whatsapp: { ...whatsapp, provider: 'cloud' } })
    expect((await bare.visitor().call(startMessageLogin, { body: { phone: newPhone() } })).refusal.code).toBe(
      'CODE_NOT_SENT',
    )
    expect((await shop.visitor().call(startMessageLogin, { body: { phone: '+4915112345678' } })).status).toBe(200)
    expect((await shop.visitor().call(startMessageLogin, { body: { phone: '17000000' } })).refusal.code).toBe(
      'PHONE_NOT_ALLOWED',
    )
  })

  it('admits the owner of a phone after another person has exhausted its codes', async () => {
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
    // The session remains, the known device gets codes, and a new device signs in by a message.
    expect((await known.call(getMe)).status).toBe(200)
    await limited.query(`update login_codes set created_at = created_at - interval '2 minutes'`)
    expect(await askForCode(limited, known, phone)).toMatch(/^\d{4,6}$/)
    const visitor = limited.visitor()
    const { body } = await visitor.call(startMessageLogin, { body: { phone } })
    await prove(phone, { body }, limited)
    expect((await visitor.call(finishMessageLogin, { body: { secret: body.secret } })).body.success).toBe(true)
  })

  it('is rate-limited per network', async () => {
    const limited = await startShop({ rateLimits: true })
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => limited.visitor().call(startMessageLogin, { body: { phone: newPhone() } })),
    )
    const allowed = answers.filter(({ status }) => status === 200).length
    // The limit refills while a busy machine answers.
    expect(allowed >= 20 && allowed <= 22).toBe(true)
    expect(answers.find(({ status }) => status !== 200)?.refusal.code).toBe('TOO_MANY_REQUESTS')
  })
})

describe('a word sent through another person’s link', () => {
  /** The attacker requests a word for another person's number, and that person sends it. */
  const phish = async (phone: string) => {
    const attacker = await start(phone)
    await write(phone, attacker.body.text)
    await answered(phone, /هناك من يدخل/)
    return attacker
  }

  it('does not sign in by itself, and the question names the requesting device', async () => {
    const phone = newPhone()
    const attacker = shop.visitor()
    const agent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0 Safari/537.36 <b>Support</b>'
    const { body } = await attacker.call(startMessageLogin, { body: { phone } }, { 'user-agent': agent })
    await write(phone, body.text)
    await answered(phone, /هناك من يدخل إلى قطرة برقمك: Chrome, Windows، الساعة \d+:\d\d [صم]\./)
    expect((await attacker.call(finishMessageLogin, { body: { secret: body.secret } })).body.success).toBe(false)
    expect(JSON.stringify(await inbox(shop, phone))).not.toContain('Support')
    // Mutant: the word alone proves the phone.
    await shop.query('update message_logins set proved_at = asked_at, answered_at = asked_at where phone = $1', [phone])
    expect((await attacker.call(finishMessageLogin, { body: { secret: body.secret } })).body.success).toBe(true)
  })

  it('is invalid after one wrong reply', async () => {
    const phone = newPhone()
    const attacker = await phish(phone)
    await write(phone, attacker.body.answer === '10' ? '11' : '10')
    await answered(phone, /ليس هذا هو الرقم/)
    await write(phone, attacker.body.answer)
    expect((await attacker.finish()).refusal.code).toBe('INVALID_CODE')
    const [row] = await shop.query('select proved_at from message_logins where phone = $1', [phone])
    expect(row).toEqual({ proved_at: null })
  })

  it('accepts only one of many parallel replies', async () => {
    const phone = newPhone()
    const attacker = await phish(phone)
    const guesses = Array.from({ length: 20 }, (_, n) => String(n + 10)).filter((one) => one !== attacker.body.answer)
    await Promise.all([...guesses, attacker.body.answer].map((guess) => write(phone, guess)))
    const rows = (of: string) =>
      shop.query(
        `select 1 from whatsapp_messages m join contacts c on c.id = m.contact_id where c.phone = $1 and ${of}`,
        [phone],
      )
    await until(
      'all of them',
      async () => (await rows(`direction = 'incoming' and processed`)).length === guesses.length + 2,
    )
    await until('an answer', async () => (await rows(`dedupe_key like 'message-login:%'`)).length === 2)
    await until(
      'the last job',
      async () =>
        (await shop.query(`select 1 from pgboss.job where name = 'message-login' and state < 'completed'`)).length ===
        0,
    )
    expect(await rows(`dedupe_key like 'message-login:%'`)).toHaveLength(2)
    const [login] = await shop.query('select answered_at, proved_at from message_logins where phone = $1', [phone])
    expect(login?.['answered_at']).not.toBeNull()
  })

  it.each([
    ['by its button', (phone: string) => pressNotMe(phone)],
    ['in a word', (phone: string) => write(phone, 'لا')],
    ['by the number of the only choice', (phone: string) => write(phone, '١')],
  ])('is refused %s', async (_, refuse) => {
    const phone = newPhone()
    const attacker = await phish(phone)
    await refuse(phone)
    await answered(phone, /أوقفنا الطلب/)
    await write(phone, attacker.body.answer)
    expect((await attacker.finish()).refusal.code).toBe('INVALID_CODE')
  })

  it('signs the device out after "not me", without affecting other devices', async () => {
    const user = newPhone()
    const own = await signInByCode(shop, user)
    const attacker = await start(user)
    await prove(user, attacker)
    expect((await attacker.finish()).body.success).toBe(true)
    expect((await attacker.visitor.call(getMe)).status).toBe(200)
    const devices = async () => (await shop.query('select 1 from known_devices where phone = $1', [user])).length
    expect(await devices()).toBe(2)
    await pressNotMe(user)
    await answered(user, /أخرجنا ذلك الجهاز/)
    expect((await attacker.visitor.call(getMe)).status).toBe(401)
    expect([(await own.call(getMe)).status, await devices()]).toEqual([200, 1])
  })

  it('invalidates an older question', async () => {
    const phone = newPhone()
    const attacker = await phish(phone)
    const owner = await start(phone)
    await prove(phone, owner)
    expect((await attacker.finish()).refusal.code).toBe('INVALID_CODE')
    expect((await owner.finish()).body.success).toBe(true)
  })

  it('is handled without a reply of the bot', async () => {
    const withBot = await startShop({ hasBot: true })
    const phone = newPhone()
    const owner = await start(phone, withBot.visitor())
    await prove(phone, owner, withBot)
    await until('the bot has seen it', async () => {
      const rows = await withBot.query('select 1 from whatsapp_messages where from_number = $1 and processed', [phone])
      return rows.length === 2
    })
    expect((await inbox(withBot, phone)).filter(({ direction }) => direction === 'outgoing')).toHaveLength(2)
  })
})

it.each([
  ['٤٧', { isMe: true, digits: '47' }],
  [' 47 ', { isMe: true, digits: '47' }],
  ['Not me', { isMe: false, loginId: null }],
  ['مو أنا', { isMe: false, loginId: null }],
  ['4', null],
  ['477', null],
  ['47 cartons', null],
])('%j answers %j', (content, answer) => expect(parseLoginAnswer({ type: 'text', content, parts: {} })).toEqual(answer))

it.each([
  ['LOGIN 7F3K2M', '7F3K2M'],
  ['login 7f3k2m', '7F3K2M'],
  ['  Log in: 7F3 K2M ', '7F3K2M'],
  ['دخول 7F3K2M', '7F3K2M'],
  ['LOGIN ٧F٣K٢M', '7F3K2M'],
  ['LOGIN', null],
  ['please LOGIN 7F3K2M', null],
  ['LOGIN 7F3K2M and two cartons', null],
])('%j says %j', (text, word) => expect(parseLoginWord(text)).toBe(word))
