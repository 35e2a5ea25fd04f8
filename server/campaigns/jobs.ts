import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { isOfCampaign } from '../conversations/commands.ts'
import { optWordIn } from '../conversations/opt-out-words.ts'
import { awaitDatabase } from '../database/db.ts'
import { runJobTransaction } from '../database/transaction.ts'
import type { App } from '../http/runtime.ts'
import { publish } from '../jobs/domain-events.ts'
import type { FilterInput } from '../jobs/events.ts'
import { raiseAlert } from '../lib/alerts.ts'
import { createSemaphore } from '../lib/concurrency.ts'
import { recordConversationNews } from '../notifications/commands.ts'
import { gatewaysOf } from '../providers/gateways.ts'
import { failed, type MessageGateway } from '../providers/provider.ts'
import { enqueueMissingWorkers } from './commands.ts'
import { quietUntil } from './hours.ts'
import { endOptOut, handleOptOut } from './opt-out.commands.ts'
import { applyReceipts, recordClick, updateTotals } from './receipts.commands.ts'
import { reserve, speedUp } from './send-rate.commands.ts'
import { findSlowness } from './send-rate.queries.ts'
import { claimNextSend } from './sending.commands.ts'
import { settle, stopCampaign } from './settling.commands.ts'
import { findDueCampaigns, startDueCampaign } from './states.commands.ts'
import { complete, enqueueRunningCampaigns, findNextTry, sweepCampaigns } from './sweeping.commands.ts'

/** Calls reserved at once: a tenth of a second. */
const BATCH = 8
/** Limit of pending calls per process. */
const MAX_IN_FLIGHT = 32
/** After this another job continues, so that other campaigns run and a stopping process need not wait. */
const SLICE_MS = 10_000

/** Interval of the sweeper. */
const SWEEP_SECONDS = 60
/** Polling interval of all processes. */
const OTHERS_POLL_SECONDS = 2

const worker = `${process.pid}-${randomUUID().slice(0, 8)}`

/** Claims, sends and settles one person of a campaign. */
export async function sendNext(app: App, gateway: MessageGateway, campaignId: string): Promise<'none' | 'done'> {
  const claim = await runJobTransaction(app.pool, (ctx) => claimNextSend(ctx, app.config, campaignId, worker))
  if (claim.kind === 'none') return 'none'
  if (claim.kind === 'skipped') return 'done'
  if (claim.kind === 'stopped') {
    await runJobTransaction(app.pool, (ctx) => stopCampaign(ctx, campaignId, claim.stop))
    return 'none'
  }
  const outcome = await gateway
    .send(claim.outbound)
    .catch((error: unknown) => failed('unknown', 'GATEWAY', error instanceof Error ? error.name : 'Error'))
  const settleNow = () => runJobTransaction(app.pool, (ctx) => settle(ctx, claim.sendId, claim.outbound, outcome))
  // Retry only accepted messages: another worker may already have claimed a refused one.
  await (outcome.ok ? awaitDatabase(settleNow) : settleNow())
  if (!outcome.ok && outcome.kind === 'stopped') raiseAlert(app.log, 'channel-stopped')
  return 'done'
}

/** Works on a campaign at the shared rate until it is finished, quiet hours begin or the time is up. */
export async function workOn(
  app: App,
  gateway: MessageGateway,
  campaignId: string,
  { forMs = SLICE_MS, perSecond = app.config.whatsapp.campaignsPerSecond }: { forMs?: number; perSecond?: number } = {},
): Promise<'empty' | 'more'> {
  const end = performance.now() + forMs
  const sending = createSemaphore({ permits: MAX_IN_FLIGHT })
  let isEmpty = false
  let failure: unknown
  await speedUp(app)
  while (!isEmpty && failure === undefined && performance.now() < end) {
    if (quietUntil(app.config.whatsapp.quietHours, new Date()) !== null) break
    if ((await findHold(app)) * 1_000 > end - performance.now()) break
    const { wait: before, gap } = await reserve(app, BATCH, perSecond)
    const begun = performance.now() + before
    for (let n = 0; n < BATCH && !isEmpty && failure === undefined; n += 1) {
      const wait = begun + n * gap - performance.now()
      if (wait > 1) await sleep(wait)
      const release = await sending.acquire()
      void sendNext(app, gateway, campaignId)
        .then((result) => {
          if (result === 'none') isEmpty = true
        })
        .catch((error: unknown) => {
          failure = error
        })
        .finally(release)
    }
  }
  // All permits are free when all calls have ended.
  for (let n = 0; n < MAX_IN_FLIGHT; n += 1) await sending.acquire()
  await runJobTransaction(app.pool, (ctx) => complete(ctx, campaignId))
  if (failure !== undefined) throw failure
  return isEmpty ? 'empty' : 'more'
}

/** Seconds for which the provider takes no calls; 0 at the full rate. */
const findHold = async (app: App) => (await findSlowness(app))?.holds ?? 0

export function campaignJobs(app: App, gateway: MessageGateway | null = gatewaysOf(app).messages) {
  const { provider } = app.config.whatsapp
  // Campaigns use the Cloud API or the simulator, never a linked device.
  const sender = provider === 'web' ? null : gateway
  const here = new Set<string>()
  app.queue.handle(
    'campaign-work',
    { isUrgent: true, concurrency: 2, retryLimit: 3, retryDelay: 5, expireInSeconds: 90 },
    async ({ id, data: { campaignId } }) => {
      if (!sender) return
      const enqueueNext = (inSeconds: number) =>
        runJobTransaction(app.pool, (ctx) => enqueueMissingWorkers(ctx, campaignId, { exceptJob: id, inSeconds }))
      // One process reaches the rate alone; the second job is for another process, which continues if this one is
      // killed.
      if (here.has(campaignId)) return enqueueNext(OTHERS_POLL_SECONDS)
      here.add(campaignId)
      const left = await workOn(app, sender, campaignId).finally(() => here.delete(campaignId))
      await runJobTransaction(app.pool, (ctx) => publish(ctx, 'campaign.changed', { campaignId }))
      if (quietUntil(app.config.whatsapp.quietHours, new Date()) !== null) return
      const inSeconds = left === 'more' ? Math.ceil(await findHold(app)) : await findNextTry(app, campaignId)
      // A job that waits for long would count as a worker; the sweeper finds what is due later.
      if (inSeconds !== null && (left === 'more' || inSeconds <= SWEEP_SECONDS)) await enqueueNext(inSeconds)
    },
  )
  app.queue.handle('sweep-campaigns', { retryLimit: 0 }, () => sweep(app))
  app.queue.handleTogether(
    'campaign-receipts',
    { filter: isOfCampaign, concurrency: 1, batch: 200, isUrgent: true, gatherMs: 150 },
    (jobs) => {
      const messageIds = [...new Set(jobs.map(({ data }) => data.messageId))]
      return runJobTransaction(app.pool, (ctx) => applyReceipts(ctx, messageIds))
    },
  )
  const filter = (about: FilterInput<'message.received' | 'offers.agreed'>) =>
    'userId' in about || ((about.type === 'text' || about.type === 'button') && optWordIn(about.content) !== null)
  app.queue.handle('opt-out-words', { filter, isUrgent: true }, ({ data }) =>
    runJobTransaction(app.pool, (ctx) =>
      data.event === 'offers.agreed' ? endOptOut(ctx, data.userId) : handleOptOut(ctx, data.messageId),
    ),
  )
  app.queue.handle('campaign-clicks', {}, ({ data }) =>
    runJobTransaction(app.pool, (ctx) => recordClick(ctx, data.linkId)),
  )
  app.queue.handleTogether('campaign-news', { concurrency: 1, batch: 100, isUrgent: true, gatherMs: 500 }, (jobs) =>
    announceChanges(app, new Map(jobs.map(({ id, data }) => [data.campaignId, id]))),
  )
  app.queue.handle('campaign-stops', {}, async ({ id, data }) => {
    raiseAlert(app.log, 'campaign-stopped')
    const source = `campaign-stopped:${data.campaignId}:${id}`
    await recordConversationNews(app, [{ kind: 'campaign-stopped', contactId: null, byId: null, source }])
  })
}

async function sweep(app: App): Promise<void> {
  // One transaction each: an unexpected error of one leaves the others.
  for (const id of await findDueCampaigns(app)) {
    await runJobTransaction(app.pool, (ctx) => startDueCampaign(ctx, id)).catch((error: unknown) =>
      app.log.error({ campaignId: id, err: error }, 'campaign not started'),
    )
  }
  await runJobTransaction(app.pool, (ctx) => sweepCampaigns(ctx))
}

/** At startup, continues running campaigns immediately instead of at the next scheduled run. */
export const resumeCampaigns = (app: App): Promise<void> =>
  runJobTransaction(app.pool, (ctx) => enqueueRunningCampaigns(ctx))

/**
 * Publishes changed campaigns on the stream, once per batch. The source is the last job, not the time: a change right
 * after an announcement is announced too, and a repeated job is not announced twice.
 */
async function announceChanges(app: App, lastJobs: ReadonlyMap<string, string>): Promise<void> {
  for (const [id, job] of lastJobs) {
    await updateTotals(app, id)
    const source = `campaign:${id}:${job}`
    await recordConversationNews(app, [{ kind: 'campaign-changed', contactId: null, byId: null, source }])
  }
}
