/** Signs a person in with the code that the simulator shows; returns the cookie. */
export async function signIn(address, phone) {
  const post = (path, body) =>
    fetch(`${address}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  await post('/api/auth/verify/phone', { phone })
  for (let tries = 0; tries < 60; tries += 1) {
    const messages = await fetch(`${address}/api/simulator/messages?phone=${encodeURIComponent(phone)}`)
    const [latest] = await messages.json()
    const code = latest?.body.match(/\d{4,6}/)?.[0]
    const answer = code && (await post('/api/auth/verify/otp', { phone, code }))
    const cookie = answer?.ok && answer.headers.getSetCookie().find((one) => one.includes('sid=u.'))
    if (cookie) return cookie.split(';')[0]
    await new Promise((done) => setTimeout(done, 100))
  }
  throw new Error(`${phone} could not sign in`)
}

/** Creates `count` staff of the first vendor with the permission to edit products, signed in. */
export async function shopkeepers(address, count) {
  const boss = await signIn(address, '+97336000001')
  const cookies = []
  for (let n = 0; n < count; n += 1) {
    const phone = `+9733611${String(1000 + n)}`
    const made = await fetch(`${address}/api/admin/users`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: boss },
      body: JSON.stringify({ phone, name: 'Bench Keeper', role: 'vendor_staff', vendorId: 1 }),
    })
    if (!made.ok) throw new Error(`No user: ${made.status} ${await made.text()}`)
    cookies.push(await signIn(address, phone))
  }
  return cookies
}
