import { randomUUID } from 'node:crypto'
import { messageCall, signedCall, WEBHOOK } from '../../demo/simulators/whatsapp-cloud/webhook-calls.ts'
import { STOPS_OF_RUN } from './curves.mjs'

const CAMPAIGNS = '/api/admin/whatsapp/campaigns'
/** What a customer of the bot writes, one after the other. */
const sentences = ['السلام عليكم', 'ابي ماي', 'السيف', 'هيرات', '4 كراتين 500 مل', 'طلباتي']
const WRITERS = 500
const QUANTITY = 8
const SHIPPED_AT_ONCE = 10

/** The acts of the day, each as a request or a few of a person whose turn it is. They throw on anything but success. */
export async function createActs({ client, db, secret, people }) {
  const { vendors, customers, phones, owner } = people
  const counters = {}
  const next = (name) => (counters[name] = (counters[name] ?? -1) + 1)
  const turn = (name, list) => list[next(name) % list.length]
  async function done(request) {
    const answer = await client.ask(request)
    if (answer.status !== 200)
      throw new Error(`${request.method ?? 'GET'} ${request.path} ${answer.status} ${answer.text?.slice(0, 200) ?? ''}`)
    return answer.text
  }
  const json = async (request) => JSON.parse(await done({ ...request, isRead: true }))

  const files = await firstVisitFiles(done)
  // Some customers fill carts, others order, so that neither finds the other's cart.
  const half = customers.length / 2
  const [buyers, browsers] = [customers.slice(0, half), customers.slice(half)]
  /** Orders by vendor that wait to be shipped, and shipped ones with their driver. */
  const placed = new Map(vendors.map(({ id }) => [id, []]))
  const shipped = []
  const runs = []
  const own = []
  const templates = JSON.stringify([{ type: 'BODY', text: 'تخفيض على الماي هالأسبوع' }])
  await db.query(
    `insert into whatsapp_templates (name, language, category, status, components)
     values ('bench', 'ar', 'MARKETING', 'APPROVED', $1)`,
    [templates],
  )

  const fill = ({ cookie, vendor }) =>
    done({ method: 'POST', path: '/api/cart/add', cookie, body: { productId: vendor.productId, quantity: QUANTITY } })
  const filled = []
  async function place() {
    const buyer = filled.shift()
    if (!buyer) throw new Error('No cart is filled')
    const { cookie, vendor } = buyer
    const body = {
      customerName: 'مريم علي',
      address: 'مبنى 12، طريق 2831، مجمع 428',
      mapCoordinates: { lat: vendor.lat, lng: vendor.lng },
    }
    const headers = { 'idempotency-key': randomUUID() }
    const { id, promisedDate } = await json({ method: 'POST', path: '/api/orders', cookie, body, headers })
    placed.get(vendor.id).push({ id, promisedDate })
    own.push({ id, cookie })
  }
  async function ship() {
    const vendor = vendors.toSorted((a, b) => placed.get(b.id).length - placed.get(a.id).length)[0]
    const orders = placed.get(vendor.id).splice(0, STOPS_OF_RUN)
    if (orders.length < STOPS_OF_RUN) throw new Error('Too few orders are placed')
    const driver = turn(`driver ${vendor.id}`, vendor.drivers)
    for (let first = 0; first < STOPS_OF_RUN; first += SHIPPED_AT_ONCE) {
      const ids = orders.slice(first, first + SHIPPED_AT_ONCE).map(({ id }) => id)
      const body = { ids, status: 'shipped', driverId: driver.id }
      const answer = await json({ method: 'POST', path: '/api/admin/orders/bulk', cookie: vendor.admin.cookie, body })
      if (answer.changed !== ids.length) throw new Error(`Shipped ${JSON.stringify(answer).slice(0, 200)}`)
    }
    for (const { id } of orders) shipped.push({ id, cookie: driver.cookie })
    runs.push({ ...driver, date: orders[0].promisedDate, vendorId: vendor.id })
  }

  const acts = {
    home: { perform: () => done({ path: '/' }) },
    product: { perform: () => done({ path: `/products/${turn('product', vendors).productId}` }) },
    catalogue: { perform: () => done({ path: `/api/products?vendorId=${turn('catalogue', vendors).id}` }) },
    files: { perform: () => Promise.all(files.map((path) => done({ path }))) },
    cart: {
      async perform() {
        const { cookie, vendor } = turn('browser', browsers)
        await done({
          method: 'POST',
          path: '/api/cart/add',
          cookie,
          body: { productId: vendor.productId, quantity: 1 },
        })
      },
    },
    order: { perform: place },
    look: {
      async perform() {
        const { id, cookie } = turn('own', own)
        await done({ path: `/api/orders/${id}`, cookie })
      },
    },
    message: {
      async perform() {
        const n = next('message')
        const phone = `+97335${String(n % WRITERS).padStart(6, '0')}`
        const body = sentences[Math.floor(n / WRITERS) % sentences.length]
        const call = messageCall(
          { phone, name: 'مريم' },
          { id: `wamid.${randomUUID()}`, at: new Date() },
          { type: 'text', text: { body } },
        )
        await done({ method: 'POST', path: WEBHOOK, ...signedCall(secret, call) })
      },
    },
    ship: { perform: ship, units: STOPS_OF_RUN },
    run: {
      async perform() {
        const { id, cookie, date } = turn('run', runs)
        await done({ path: `/api/admin/drivers/${id}/run?date=${date}`, cookie })
      },
    },
    deliver: {
      async perform() {
        const order = shipped.shift()
        if (!order) throw new Error('Nothing is shipped')
        const path = `/api/admin/orders/${order.id}/status`
        await done({ method: 'PATCH', path, cookie: order.cookie, body: { status: 'delivered' } })
      },
    },
    desk: {
      async perform() {
        const { cookie } = turn('desk', turn('office', vendors).staff)
        const list = done({ path: '/api/admin/orders?limit=50&day=next&sort=due', cookie })
        await Promise.all([list, done({ path: '/api/admin/orders/counts?day=next', cookie })])
      },
    },
  }

  /** Sends a campaign to so many customers, as fast as it goes. */
  async function campaign(count) {
    const first = next('campaign') * count
    const recipients = Array.from({ length: count }, (_, n) => ({ phone: phones[(first + n) % phones.length] }))
    const content = { name: 'Bench', templateName: 'bench', language: 'ar', consentSource: 'Bench', recipients }
    const { cookie } = owner
    const { id } = await json({ method: 'POST', path: CAMPAIGNS, cookie, body: content })
    await done({ method: 'POST', path: `${CAMPAIGNS}/${id}/start`, cookie })
  }
  /** Fills the carts of `count` customers, and places as many orders where asked, eight at once. */
  async function prepare(count, { isPlaced = false } = {}) {
    let left = count
    const one = async () => {
      while (left > 0) {
        left -= 1
        const buyer = turn('buyer', buyers)
        await fill(buyer)
        filled.push(buyer)
        if (isPlaced) await place()
      }
    }
    await Promise.all(Array.from({ length: 8 }, one))
  }
  const cartsFilled = () => filled.length
  const shippable = () => [...placed.values()].reduce((sum, list) => sum + Math.floor(list.length / STOPS_OF_RUN), 0)
  /** Orders that can be shipped in so many runs, and so many that can be delivered. */
  async function stock({ ships, deliveries }) {
    const place = async (more) => {
      if (more > 0) await prepare(more * STOPS_OF_RUN, { isPlaced: true })
    }
    while (shipped.length < deliveries) {
      if (shippable() === 0) await place(vendors.length)
      await ship()
    }
    if (shippable() < ships) await place(ships + vendors.length - shippable())
  }
  /** An event of an order of the first vendor, as a job writes it. */
  const tell = () =>
    db.query(
      `insert into notifications (kind, order_id, vendor_id, source)
       values ('order-placed', $1, $2, 'bench:' || gen_random_uuid())`,
      [own[0].id, vendors[0].id],
    )
  return { acts, campaign, prepare, place, stock, tell, cartsFilled }
}

/** What the home page names: scripts, styles and fonts. */
async function firstVisitFiles(done) {
  const page = await done({ path: '/', isRead: true })
  const names = [...page.matchAll(/(?:src|href)="(\/[^"]+\.(?:js|css|woff2))"/g)].map(([, path]) => path)
  const found = [...new Set(names)]
  if (found.length === 0) throw new Error('The home page names no files')
  return found
}
