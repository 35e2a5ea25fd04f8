import { endpoints } from '@qatra/contract/api'
import type { Logger } from 'pino'
import { analyticsRoutes } from './analytics/routes.ts'
import { areaAdminRoutes } from './areas/admin.routes.ts'
import { auditRoutes } from './audit/routes.ts'
import { printOwnerClaimCode } from './auth/claims.commands.ts'
import { authRoutes, impersonationJobs, impersonationRoutes, keyRoutes } from './auth/routes.ts'
import { readSessions } from './auth/session-reader.ts'
import { endSessionsOf } from './auth/sessions.commands.ts'
import { blockRoutes } from './blocks/routes.ts'
import { botHistoryJobs, botJobs } from './bot/jobs.ts'
import { botKnowledgeRoutes } from './bot/knowledge/routes.ts'
import { joinShop, readKnowledge } from './bot/knowledge/snapshot.queries.ts'
import { botRoutes } from './bot/routes.ts'
import { calendarAdminRoutes } from './calendar/admin.routes.ts'
import { campaignJobs, resumeCampaigns } from './campaigns/jobs.ts'
import { campaignRoutes } from './campaigns/routes.ts'
import { cartRoutes } from './cart/routes.ts'
import { type Catalogue, readCatalogue } from './catalogue/queries.ts'
import { catalogueRoutes } from './catalogue/routes.ts'
import type { Config } from './config/config.ts'
import { sendingJobs } from './conversations/sending.jobs.ts'
import { customerRoutes } from './customers/routes.ts'
import { dashboardJobs } from './dashboard/jobs.ts'
import { dashboardRoutes } from './dashboard/routes.ts'
import { createReferenceData, type ReferenceData } from './database/reference-data.ts'
import { loadSimulators } from './demo.ts'
import { driverRoutes } from './drivers/routes.ts'
import { createGeocoder } from './geocoding/gateway.ts'
import type { Geocoder } from './geocoding/geocoder.ts'
import { createMapLinkReader } from './geocoding/map-link.gateway.ts'
import { geocodeRoutes } from './geocoding/routes.ts'
import { createThrottle } from './geocoding/throttle.ts'
import { docsRoutes } from './http/docs/docs.routes.ts'
import { healthRoutes } from './http/monitoring/health.routes.ts'
import { createMetrics, version, watchSnapshots } from './http/monitoring/metrics.ts'
import { pageRoutes } from './http/pages/page-rendering.ts'
import type { App } from './http/runtime.ts'
import { createApp } from './http/server/create-app.ts'
import { registerHooks } from './http/server/hooks.ts'
import { inboxJobs } from './inbox/jobs.ts'
import { followPresence } from './inbox/presence.ts'
import { inboxRoutes } from './inbox/routes.ts'
import { invitationJobs } from './invitations/jobs.ts'
import { invitationRoutes } from './invitations/routes.ts'
import { queueRoutes } from './job-admin/routes.ts'
import { monthJobs } from './jobs/months.ts'
import { retentionJobs } from './jobs/retention.ts'
import { legacyJobs } from './legacy-sync/jobs.ts'
import { legacyRoutes } from './legacy-sync/routes.ts'
import { outgoingWebhookJobs } from './outgoing-webhooks/jobs.ts'
import { outgoingWebhookRoutes } from './outgoing-webhooks/routes.ts'
import { linkAdminRoutes } from './links/admin.routes.ts'
import { linkJobs } from './links/jobs.ts'
import { linkRoutes } from './links/routes.ts'
import { channelJobs, loginMessageJobs } from './login-messages/jobs.ts'
import { mediaJobs } from './media/jobs.ts'
import { mediaRoutes } from './media/routes.ts'
import { conversationNewsJobs, notificationJobs } from './notifications/jobs.ts'
import { staffPushJobs } from './notifications/push.jobs.ts'
import { notificationRoutes } from './notifications/routes.ts'
import { newsFallbackJobs, orderNewsJobs, orderPushJobs, reminderJobs } from './order-messages/jobs.ts'
import type { Ctx } from './database/context.ts'
import { releaseOrdersOf } from './orders/admin/commands.ts'
import { orderJobs, promiseJobs } from './orders/jobs.ts'
import { limitOrderLookups } from './orders/lookup-limit.ts'
import { orderAdminRoutes, orderRoutes, orderStatusRoutes, receiptRoutes, salesRoutes } from './orders/routes.ts'
import { releaseVisitsOf } from './orders/visits/commands.ts'
import { personalData } from './personal-data.ts'
import { productAdminRoutes } from './products/admin.routes.ts'
import { showFetchedPictures } from './products/commands.ts'
import { followWhatsappKeys, withPresentKeys } from './providers/whatsapp-cloud/keys.queries.ts'
import { pushRoutes } from './push/routes.ts'
import { searchRoutes } from './search/routes.ts'
import { setupRoutes } from './setup/routes.ts'
import { settingsRoutes } from './site/admin.routes.ts'
import { discoveryRoutes } from './site/discovery.routes.ts'
import { pageFacts } from './site/page-facts.ts'
import { telegramJobs } from './telegram/jobs.ts'
import { telegramRoutes } from './telegram/routes.ts'
import { refreshTemplates } from './templates/commands.ts'
import { templateJobs } from './templates/jobs.ts'
import { templateRoutes } from './templates/routes.ts'
import { accountRoutes, addressBookRoutes, deliveryAreaRoutes, peopleRoutes } from './users/routes.ts'
import { showFetchedLogos } from './vendors/admin.commands.ts'
import { vendorAdminRoutes } from './vendors/admin.routes.ts'
import { webhookJobs } from './webhooks/jobs.ts'
import { webhookRoutes } from './webhooks/routes.ts'
import { accountJobs } from './whatsapp-device/account.jobs.ts'
import { connectionRoutes } from './whatsapp-device/routes.ts'
import { whatsappSetupJobs } from './whatsapp-setup/jobs.ts'
import { whatsappSetupRoutes } from './whatsapp-setup/routes.ts'

export interface Shop {
  app: App
  /** Caches of this process; updated by notifications from the database. */
  catalogue: ReferenceData<Catalogue>
  start: () => Promise<void>
  /** Makes /readyz fail; requests are still answered until `stop`. */
  drain: () => void
  stop: () => Promise<void>
}

const revocation = {
  endSessions: endSessionsOf,
  async releaseOrders(ctx: Ctx, driverId: number) {
    await releaseOrdersOf(ctx, driverId)
    await releaseVisitsOf(ctx, driverId)
  },
}
const CLOCK_INTERVAL_MS = 60_000
/** Nominatim's terms allow one call a second. */
const GEOCODER_INTERVAL_MS = 1_000

/** Composes all features: routes, jobs and personal-data registrations. */
export async function buildApp(parts: {
  config: Config
  databaseUrl: string
  log: Logger
  print?: (line: string) => void
  /** Folder of the web build; without it only the API is served. */
  web?: string
  /** Between two looks for jobs that nobody announced, such as delayed ones. */
  pollSeconds?: number
}): Promise<Shop> {
  const app = await createApp({ ...parts, readSessions })
  const keys = await followWhatsappKeys(app)
  app.config = withPresentKeys(app.config, keys)
  const simulators = app.config.simulator ? await loadSimulators() : null
  app.simulatedNetwork = simulators?.simulatedNetwork(app) ?? null
  const stopping = new AbortController()
  const metrics = createMetrics(app)
  registerHooks(app, metrics, stopping.signal)
  healthRoutes(app, metrics, stopping.signal)
  docsRoutes(app, [...endpoints, ...(simulators?.simulatorEndpoints ?? [])])
  const catalogue = await createReferenceData(readCatalogue, app.db, app.listener, app.log)
  catalogue.onChange(app.responseCache.clear)
  const knowledge = await createReferenceData(readKnowledge, app.db, app.listener, app.log)
  watchSnapshots(metrics, { catalogue, knowledge })
  const knownShop = joinShop(catalogue, knowledge)

  catalogueRoutes(app, catalogue)
  vendorAdminRoutes(app, catalogue)
  areaAdminRoutes(app, catalogue)
  blockRoutes(app, catalogue)
  calendarAdminRoutes(app, catalogue)
  productAdminRoutes(app, catalogue)
  settingsRoutes(app, catalogue)
  mediaRoutes(app)
  mediaJobs(app, [showFetchedPictures, showFetchedLogos])
  geocodeRoutes(app, catalogue, { geocoder: geocoderOf(app), followLink: createMapLinkReader({ log: app.log }) })
  authRoutes(app, catalogue)
  accountRoutes(app, personalData)
  addressBookRoutes(app, catalogue)
  deliveryAreaRoutes(app, catalogue)
  loginMessageJobs(app)
  peopleRoutes(app, revocation)
  invitationRoutes(app, revocation)
  invitationJobs(app)
  impersonationRoutes(app)
  keyRoutes(app)
  impersonationJobs(app)
  customerRoutes(app, catalogue)
  auditRoutes(app)
  monthJobs(app)
  retentionJobs(app)
  queueRoutes(app)
  legacyRoutes(app)
  outgoingWebhookRoutes(app)
  setupRoutes(app, catalogue)
  legacyJobs(app)
  outgoingWebhookJobs(app)
  linkRoutes(app, catalogue)
  linkAdminRoutes(app)
  linkJobs(app)
  channelJobs(app)
  sendingJobs(app)
  webhookRoutes(app)
  webhookJobs(app)
  accountJobs(app)
  inboxRoutes(app, catalogue)
  await followPresence(app)
  inboxJobs(app, catalogue)
  botKnowledgeRoutes(app, knownShop, knowledge)
  botRoutes(app, knownShop)
  botHistoryJobs(app)
  if (app.config.hasBot) botJobs(app, knownShop)
  connectionRoutes(app)
  templateRoutes(app)
  templateJobs(app)
  whatsappSetupRoutes(app, keys)
  whatsappSetupJobs(app)
  campaignRoutes(app)
  campaignJobs(app)
  pushRoutes(app)
  orderNewsJobs(app)
  orderPushJobs(app)
  reminderJobs(app)
  staffPushJobs(app)
  newsFallbackJobs(app)
  cartRoutes(app, catalogue)
  const orderLookup = limitOrderLookups(app.rateLimiters)
  orderRoutes(app, catalogue, orderLookup)
  orderAdminRoutes(app, catalogue, orderLookup)
  orderStatusRoutes(app, catalogue, orderLookup)
  driverRoutes(app, catalogue, orderLookup)
  salesRoutes(app, catalogue, orderLookup)
  receiptRoutes(app, catalogue, orderLookup)
  orderJobs(app, catalogue)
  promiseJobs(app)
  dashboardRoutes(app, catalogue)
  searchRoutes(app, catalogue)
  dashboardJobs(app)
  const wakeTelegram = telegramJobs(app)
  telegramRoutes(app, wakeTelegram)
  simulators?.simulatorRoutes(app, wakeTelegram)
  if (app.config.role !== 'worker') await notificationRoutes(app)
  notificationJobs(app)
  conversationNewsJobs(app)
  analyticsRoutes(app)

  discoveryRoutes(app, catalogue)
  if (parts.web) await pageRoutes({ app, folder: parts.web, facts: pageFacts(catalogue) })

  const measuring = setInterval(() => {
    app.clock.measure().catch((error: unknown) => app.log.warn({ err: error }, 'clock not measured'))
  }, CLOCK_INTERVAL_MS).unref()

  return {
    app,
    catalogue,
    async start() {
      await app.queue.start()
      await app.http.ready()
      if (app.config.role !== 'worker') await printOwnerClaimCode(app)
      if (app.config.simulator) await refreshTemplates(app)
      if (app.config.role !== 'web') await resumeCampaigns(app)
    },
    drain() {
      stopping.abort()
      app.responseCache.stop()
      app.eventStreams.stop()
    },
    async stop() {
      clearInterval(measuring)
      app.eventStreams.stop()
      await app.http.close()
      await app.queue.stop()
      catalogue.stop()
      knowledge.stop()
      keys.stop()
      await app.listener.stop()
      await app.rateLimiters.stop()
      await app.replica.stop()
      await app.pool.end()
    },
  }
}

function geocoderOf({ config: { geocoderUrl, publicUrl }, rateLimiters, log }: App): Geocoder | null {
  if (!geocoderUrl) return null
  const throttle = createThrottle(rateLimiters, GEOCODER_INTERVAL_MS)
  return createGeocoder({ url: geocoderUrl, userAgent: `Qatra/${version} (+${publicUrl})`, throttle, log })
}
