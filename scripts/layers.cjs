/**
 * The folders of server/ in one order: a folder imports itself and those before it. So imports go downwards only, and of
 * two features at most one imports the other. Files at the root, server/test and migrations may import all folders.
 */
const server = [
  // foundation
  ...['lib', 'config', 'database', 'jobs', 'http', 'import', 'ledger'],
  // catalogue: what is sold, where and on which days
  ...['media', 'areas', 'blocks', 'vendors', 'bottles', 'products', 'calendar', 'site', 'catalogue', 'geocoding'],
  // people
  ...['users', 'cart', 'auth'],
  // ordering
  ...['orders', 'customers'],
  // delivery
  'drivers',
  // messaging: transport, then what is sent automatically, then what people write
  ...['providers', 'conversations', 'push', 'webhooks', 'login-messages', 'notifications', 'order-messages', 'links'],
  ...['templates', 'whatsapp-setup', 'whatsapp-device', 'inbox', 'bot', 'campaigns', 'telegram', 'invitations'],
  // reporting
  ...['analytics', 'dashboard', 'search', 'audit'],
  // operations
  ...['backup', 'alarms', 'legacy-sync', 'outgoing-webhooks', 'job-admin', 'setup', 'personal-data', 'seed'],
]

/** The folders of web/ in one order, likewise; web/app/routes may import all pages. */
const web = [
  ...['lib', 'ui', 'app'],
  ...['analytics', 'delivery', 'map', 'media', 'push'],
  ...[
    'catalogue',
    'areas',
    'calendar',
    'vendors',
    'cart',
    'auth',
    'checkout',
    'orders',
    'products',
    'profile',
    'pages',
  ],
  ...[
    'users',
    'customers',
    'invitations',
    'telegram',
    'sales',
    'drivers',
    'whatsapp',
    'notifications',
    'setup',
    'admin',
  ],
  ...['audit', 'dashboard', 'integrations', 'legacy', 'links', 'queues'],
]

module.exports = { server, web }
