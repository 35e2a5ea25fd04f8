const day = (ago) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
const month = `from=${day(30)}&to=${day(1)}`
const text = encodeURIComponent
const sample = (values) => values[Math.floor(Math.random() * values.length)]

const prefixed = (prefix, path, ways) =>
  Object.fromEntries(
    Object.entries(ways).map(([name, query]) => [
      `${prefix}: ${name}`,
      (shop) => path + (typeof query === 'string' ? query : query(shop)),
    ]),
  )

const searches = {
  'a common name': `&search=${text('محمد')}`,
  'two words': `&search=${text('priya kumar')}`,
  'a phone': ({ phones }) => `&search=${text(sample(phones))}`,
  'half a phone': ({ phones }) => `&search=${sample(phones).slice(-6)}`,
  nothing: '&search=zzzzqqq',
  'two letters': '&search=pr',
}

/** The order desk: 64 ways, each as the market's staff and as those of the largest vendor. */
const desk = {
  ...prefixed('orders', '/api/admin/orders?limit=50', {
    newest: '',
    'page 20': '&page=20',
    'oldest first': '&sort=createdAt',
    'status new': '&status=new',
    'status delivered': '&status=delivered',
    'three statuses': '&status=new,in-progress,shipped',
    'day of delivery': `&by=promised&from=${day(1)}&to=${day(1)}`,
    'a week of deliveries': `&by=promised&from=${day(6)}&to=${day(0)}`,
    'a week by placing': `&from=${day(6)}&to=${day(0)}`,
    area: '&areaId=7',
    'three areas and a status': '&areaId=7,8,9&status=delivered',
    driver: ({ drivers }) => `&driverId=${sample(drivers)}`,
    'nobody drives': '&driverId=none',
    unpaid: '&paymentStatus=unpaid',
    'by total': '&sort=-total',
    'by customer': '&sort=customer',
    ...searches,
    'an id': ({ ids }) => `&search=${sample(ids)}`,
    'four of an id': ({ ids }) => `&search=${sample(ids).slice(0, 4)}`,
    'text and status': `&search=${text('علي')}&status=cancelled`,
  }),
  ...prefixed('counts', '/api/admin/orders/counts?', {
    all: '',
    'day of delivery': `by=promised&from=${day(1)}&to=${day(1)}`,
    area: 'areaId=7',
    driver: ({ drivers }) => `driverId=${sample(drivers)}`,
    text: `search=${text('محمد')}`,
  }),
  'one order': ({ ids }) => `/api/admin/orders/${sample(ids)}`,
  'its timeline': ({ ids }) => `/api/admin/orders/${sample(ids)}/timeline`,
}

const staff = {
  ...desk,
  ...prefixed('month', `/api/admin/orders?limit=50&${month}&status=new,in-progress,shipped,delivered`, {
    all: '',
    'one product': '&productId=1',
    'one hour': '&hour=10',
    'one area': '&areaId=7',
  }),
  ...prefixed('customers', '/api/admin/customers?limit=50', {
    newest: '',
    'page 20': '&page=20',
    'page 100': '&page=100',
    'by spend': '&sort=-spend',
    'by orders': '&sort=-orderCount',
    'by name': '&sort=name',
    'by joining': '&sort=-createdAt',
    ...searches,
  }),
  'one customer': ({ customers }) => `/api/admin/customers/${sample(customers)}`,
  ...prefixed('inbox', '/api/admin/whatsapp/conversations?limit=30', {
    all: '',
    'page 20': '&page=20',
    waiting: '&view=waiting',
    done: '&view=done',
    unread: '&view=unread',
    unassigned: '&view=unassigned',
    bot: '&view=bot',
    'unread first': '&sort=unread',
    ...searches,
    'a word of messages': `&search=${text('كرتونين')}`,
    'a rare word of messages': ({ words }) => `&search=${sample(words)}`,
  }),
  'inbox: labels': () => '/api/admin/whatsapp/labels',
  'inbox: one conversation': ({ contacts }) => `/api/admin/whatsapp/conversations/${sample(contacts)}`,
  'inbox: its messages': ({ contacts }) => `/api/admin/whatsapp/conversations/${sample(contacts)}/messages?limit=30`,
  ...prefixed('audit', '/api/admin/audit?limit=50', {
    newest: '',
    'page 20': '&page=20',
    'page 100': '&page=100',
    'a day': `&from=${day(3)}&to=${day(3)}`,
    'an old day': `&from=${day(60)}&to=${day(60)}`,
    orders: '&resource=order',
    products: '&resource=product',
    exports: '&action=export',
    'one person': ({ customers }) => `&userId=${sample(customers)}`,
    'a phone': ({ phones }) => `&search=${sample(phones).slice(-6)}`,
    'an order': ({ ids }) => `&search=${sample(ids)}`,
  }),
  'users: last active': () => '/api/admin/users?limit=50',
  'users: staff by name': () => '/api/admin/users?limit=50&staff=true&sort=name',
  'dashboard: today': () => '/api/admin/dashboard?period=today',
  'dashboard: month': () => '/api/admin/dashboard?period=month',
  "driver's run": ({ drivers }) => `/api/admin/drivers/${sample(drivers)}/run`,
  'drivers of the day': () => '/api/admin/drivers/day?vendorId=1',
}

const customer = {
  'own orders': () => '/api/auth/orders',
  'own open orders': () => '/api/auth/orders?status=open',
  'own cart': () => '/api/cart',
  catalogue: () => '/api/products?vendorId=1',
}

/** [name, who asks, path from the facts of the shop] */
export const ways = [
  ...Object.entries(staff).flatMap(([name, path]) => [
    [name, 'super', path],
    [name, 'vendor', path],
  ]),
  ...Object.entries(customer).map(([name, path]) => [name, 'customer', path]),
]
