export interface Setting {
  section: 'server' | 'storage' | 'people' | 'messages' | 'telegram' | 'services'
  /** Used if the variable is unset or empty. */
  fallback?: string
  /** What holds without a value, where that is no plain default. */
  unset?: string
  /** The allowed values, if there are only these. */
  values?: readonly string[]
  description: string
}

const entered = { section: 'messages', unset: 'as entered on the set-up page' } as const

/** All environment variables that configure the server; docs/settings.md is generated from this table. */
export const settings = {
  HOST: {
    section: 'server',
    fallback: '127.0.0.1',
    description: 'Address on which the server listens.',
  },
  PORT: {
    section: 'server',
    fallback: '3000',
    description: 'Port on which the server listens.',
  },
  PUBLIC_URL: {
    section: 'server',
    unset: '`http://localhost:PORT`',
    description: 'Origin of all links, and the only origin that may change anything; https beyond loopback.',
  },
  TRUSTED_PROXIES: {
    section: 'server',
    description: 'Addresses or networks (`10.0.0.0/8`), separated by commas, whose `X-Forwarded-For` is trusted.',
  },
  NODE_ENV: {
    section: 'server',
    fallback: 'production',
    description: 'Exactly `development` or `test` relaxes some rules; any other value is production.',
  },
  LOG_LEVEL: {
    section: 'server',
    fallback: 'info',
    values: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    description: 'Lowest level that is logged.',
  },
  ROLE: {
    section: 'server',
    fallback: 'all',
    values: ['all', 'web', 'worker'],
    description:
      '`web` answers requests and runs no jobs; `worker` runs jobs and serves only `/healthz`, `/readyz` and `/metrics`. Both need `DATABASE_URL`.',
  },
  METRICS_TOKEN: {
    section: 'server',
    unset: 'loopback only',
    description: 'Bearer token of `/metrics`, at least 16 bytes.',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    section: 'server',
    unset: 'no traces',
    description:
      'OpenTelemetry collector that receives traces by OTLP over HTTP (`http://127.0.0.1:4318`); https beyond loopback.',
  },
  OTEL_TRACES_SAMPLER_ARG: {
    section: 'server',
    fallback: '0.05',
    description: 'Share (0 to 1) of requests and jobs whose traces are sent.',
  },
  DRAIN_SECONDS: {
    section: 'server',
    fallback: '1',
    description: 'Seconds (0 to 8) for which `/readyz` answers 503 before the server stops accepting connections.',
  },
  RATE_LIMITS: {
    section: 'server',
    fallback: 'on',
    values: ['on', 'off'],
    description: '`off` is accepted only with the simulator on loopback, for measurements.',
  },
  SERVICE_WORKER: {
    section: 'server',
    fallback: 'on',
    values: ['on', 'off'],
    description:
      '`off` removes the service workers from all browsers at their next visit: no pages offline, no notifications.',
  },
  DATABASE_URL: {
    section: 'storage',
    unset: 'embedded PostgreSQL 18 in `DATA_DIR`',
    description: 'PostgreSQL 15 or later, directly or through PgBouncer in transaction mode (docs/scaling.md).',
  },
  DATABASE_DIRECT_URL: {
    section: 'storage',
    unset: '`DATABASE_URL`',
    description:
      'The same database without a pooler, for what needs a session of its own: LISTEN, migrations, locks of sessions, backups.',
  },
  DATABASE_READ_URL: {
    section: 'storage',
    unset: '`DATABASE_URL`',
    description:
      'A streaming replica on which customers see cart, orders and account while the primary is away (`decisions/0035`).',
  },
  DATABASE_POOL_SIZE: {
    section: 'storage',
    fallback: '10',
    description:
      'Connections that a process opens at most for requests and the work of jobs, and as many to the replica: 2 to 100.',
  },
  DATABASE_PREPARED_STATEMENTS: {
    section: 'storage',
    fallback: 'on',
    values: ['on', 'off'],
    description: '`off` behind a PgBouncer before 1.21, which does not keep named statements.',
  },
  DATA_DIR: {
    section: 'storage',
    fallback: './data',
    description: 'Folder of the embedded database and of the generated secret.',
  },
  SECRET_KEY: {
    section: 'storage',
    unset: 'generated at the first start in `DATA_DIR`',
    description:
      'At least 32 bytes, the same for all processes. Keys for codes, encryption and notifications are derived from it.',
  },
  SEED_DEMO: {
    section: 'storage',
    unset: '`true` with the embedded database, else `false`',
    values: ['true', 'false', 'on', 'off', '1', '0'],
    description: 'Fills an empty database with demo vendors, products, areas, people and orders.',
  },
  ADMIN_PHONE: {
    section: 'people',
    unset: 'the console prints a link that claims the role once, after a code confirmed the phone',
    description: 'Phone number of the first super admin.',
  },
  CODE_COUNTRIES: {
    section: 'people',
    fallback: 'BH,SA,KW,QA,AE,OM',
    description: 'Countries whose mobile numbers get sign-in codes by WhatsApp.',
  },
  OTP_TEST_CODE: {
    section: 'people',
    description: 'One fixed sign-in code of 4 to 6 digits for tests on loopback; refused in production.',
  },
  WHATSAPP_PROVIDER: {
    section: 'messages',
    fallback: 'simulator',
    values: ['simulator', 'cloud', 'web'],
    description:
      '`cloud`: the keys are entered at `/admin/whatsapp/connection` or set here; `web` links a device by QR code.',
  },
  ALLOW_SIMULATOR: {
    section: 'messages',
    fallback: 'false',
    description:
      '`true` allows the simulator beside a `DATABASE_URL` or beyond loopback, where it shows the codes to all visitors.',
  },
  WHATSAPP_BOT: {
    section: 'messages',
    fallback: 'on',
    values: ['on', 'off'],
    description: '`off`: only staff answer conversations.',
  },
  BOT_GATHER_SECONDS: {
    section: 'messages',
    fallback: '2',
    description:
      'Seconds (0 to 10) without a further message after which the bot answers; buttons are answered at once.',
  },
  BOT_MODEL_URL: {
    section: 'messages',
    unset: 'no model',
    description: 'OpenAI-compatible API (`https://…/v1`) for messages that the bot is not sure of (`decisions/0045`).',
  },
  BOT_MODEL: { section: 'messages', description: 'Name of that model; it must support `json_schema`.' },
  BOT_MODEL_KEY: { section: 'messages', description: 'Bearer token of that API.' },
  BOT_MODEL_BUDGET: {
    section: 'messages',
    fallback: '500',
    description: 'Requests a day (1 to 100000) to that model, of all processes together.',
  },
  VOICE_MODEL_URL: {
    section: 'messages',
    unset: 'a person hears voice messages',
    description: 'OpenAI-compatible API (`https://…/v1`) that transcribes voice messages of up to two minutes.',
  },
  VOICE_MODEL: { section: 'messages', description: 'Name of the model that transcribes.' },
  VOICE_MODEL_KEY: { section: 'messages', description: 'Bearer token of that API.' },
  VOICE_MODEL_BUDGET: {
    section: 'messages',
    fallback: '200',
    description: 'Voice messages a day (1 to 100000) that are transcribed, of all processes together.',
  },
  WHATSAPP_TOKEN: { ...entered, description: 'Access token of the Cloud API.' },
  WHATSAPP_PHONE_NUMBER_ID: { ...entered, description: 'Id of the sending number in the Cloud API.' },
  WHATSAPP_APP_SECRET: { ...entered, description: 'Verifies the signature of webhook calls.' },
  WHATSAPP_VERIFY_TOKEN: { ...entered, description: 'Answers Meta’s verification of the webhook address.' },
  WHATSAPP_BUSINESS_ACCOUNT_ID: { ...entered, description: 'Account whose templates are listed.' },
  WHATSAPP_NUMBER: { section: 'messages', description: 'Number that customers write to, for `wa.me` links.' },
  WHATSAPP_CODE_TEMPLATE: {
    section: 'messages',
    fallback: 'login_code',
    description: 'Template that carries a sign-in code.',
  },
  WHATSAPP_GRAPH_VERSION: { section: 'messages', fallback: 'v23.0', description: 'Version of the Graph API.' },
  WHATSAPP_GRAPH_URL: {
    section: 'messages',
    unset: '`https://graph.facebook.com/` and the version',
    description: 'Address of a proxy of the Graph API, including the version.',
  },
  CAMPAIGN_QUIET_HOURS: {
    section: 'messages',
    unset: '`21:00-09:00`; `off` if `RATE_LIMITS` is `off`',
    description: 'Campaigns pause between these times in Bahrain; `off`: never.',
  },
  CAMPAIGN_PER_SECOND: {
    section: 'messages',
    fallback: '80',
    description: 'Messages per second (1 to 1000) of all campaigns and processes together.',
  },
  SMS_PROVIDER: {
    section: 'messages',
    fallback: 'none',
    values: ['none', 'http', 'twilio'],
    description:
      '`http` posts JSON to `SMS_URL` with `SMS_TOKEN` as bearer token; `twilio` needs `SMS_ACCOUNT` and `SMS_TOKEN`.',
  },
  SMS_URL: { section: 'messages', description: 'Address of the `http` provider.' },
  SMS_ACCOUNT: { section: 'messages', description: 'Twilio account: `AC` and 32 hexadecimal digits.' },
  SMS_TOKEN: { section: 'messages', description: 'Token of the provider; also signs delivery receipts.' },
  SMS_SENDER: { section: 'messages', fallback: 'Qatra', description: 'Sender of text messages.' },
  TELEGRAM_BOT_TOKEN: {
    section: 'telegram',
    unset: 'no bot; simulated if WhatsApp is simulated',
    description: 'Token of the staff bot.',
  },
  TELEGRAM_GROUP_ID: { section: 'telegram', description: 'Group with one topic for each conversation.' },
  TELEGRAM_WEBHOOK_SECRET: {
    section: 'telegram',
    unset: 'one process polls Telegram',
    description: '16 to 256 letters, digits, `_` and `-`. If set, updates arrive by webhook.',
  },
  TELEGRAM_API_URL: {
    section: 'telegram',
    fallback: 'https://api.telegram.org',
    description: 'Address of another Bot API server.',
  },
  ALARM_EMAIL: {
    section: 'services',
    unset: 'alarms go by Telegram to linked super admins alone',
    description: 'Address to which the shop sends its alarms too (docs/operations.md), and from which.',
  },
  SMTP_URL: {
    section: 'services',
    description: 'Server that takes that e-mail: `smtps://name:password@mail.example`.',
  },
  GEOCODER_URL: {
    section: 'services',
    unset: 'areas, imported blocks and built-in landmarks',
    description: 'Geocoder with Nominatim’s interface.',
  },
  TILE_URL: {
    section: 'services',
    unset: 'built-in outline map',
    description: 'Map tiles, with the placeholders `{z}`, `{x}` and `{y}`.',
  },
  PUSH_SERVICE_URL: {
    section: 'services',
    unset: 'the push services of Chrome, Firefox, Safari and Edge alone',
    description: 'Origin of a further Web Push service that browsers may name, for tests and closed networks.',
  },
  LEGACY_SYNC_URL: { section: 'services', description: 'Older system that receives every order (docs/operations.md).' },
  LEGACY_SYNC_TOKEN: { section: 'services', description: 'Bearer token for `LEGACY_SYNC_URL`.' },
  GA_ID: { section: 'services', description: 'Google Analytics; loaded only after consent.' },
  META_PIXEL_ID: { section: 'services', description: 'Meta Pixel; loaded only after consent.' },
  SNAP_PIXEL_ID: { section: 'services', description: 'Snap Pixel; loaded only after consent.' },
} as const satisfies Record<string, Setting>

export type SettingName = keyof typeof settings

type NamesWith<Part> = {
  [Name in SettingName]: (typeof settings)[Name] extends Part ? Name : never
}[SettingName]

/** Settings that have a plain default. */
export type DefaultedName = NamesWith<{ fallback: string }>
/** Settings with a plain default and a closed list of values. */
export type ChoiceName = NamesWith<{ fallback: string; values: readonly string[] }>
export type Choice<Name extends ChoiceName> = (typeof settings)[Name]['values'][number]
