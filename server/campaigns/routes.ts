import { bahrainDate } from '@qatra/contract/calendar/calendar'
import { previewCampaign as previewEndpoint } from '@qatra/contract/whatsapp/campaigns/campaign-preview'
import * as results from '@qatra/contract/whatsapp/campaigns/campaign-results'
import * as api from '@qatra/contract/whatsapp/campaigns/campaigns'
import * as sends from '@qatra/contract/whatsapp/campaigns/sends'
import type { App } from '../http/runtime.ts'
import { serve } from '../http/serve.ts'
import { serveTable } from '../http/serve-table.ts'
import * as commands from './commands.ts'
import { sendTest } from './commands.ts'
import { previewCampaign } from './planning.ts'
import { listCampaigns, listSends, requireCampaign, requireRow } from './queries.ts'
import { settleSends } from './receipts.commands.ts'
import { exportSends, findResults } from './results.queries.ts'
import * as states from './states.commands.ts'

/** Ten thousand people with their values. */
const bodyLimit = 4 * 1024 * 1024

export function campaignRoutes(app: App) {
  const { whatsapp: hours } = app.config
  serve(app, api.listCampaigns, (ctx, { query }) => listCampaigns(ctx, hours, query))
  serve(app, previewEndpoint, (ctx, { body }) => previewCampaign(ctx, hours.campaignsPerSecond, body), {
    bodyLimit,
  })
  serve(app, api.createCampaign, (ctx, { body }) => commands.createCampaign(ctx, hours, body), { bodyLimit })
  serve(app, api.getCampaign, (ctx, { params }) => requireCampaign(ctx, hours, params.id))
  serve(app, api.changeCampaign, (ctx, { params, body }) => commands.changeCampaign(ctx, hours, params.id, body), {
    bodyLimit,
  })
  serve(app, api.deleteCampaign, (ctx, { params }) => commands.deleteCampaign(ctx, params.id))
  serve(app, results.getCampaignResults, (ctx, { params }) => findResults(ctx, params.id))
  serve(app, results.duplicateCampaign, (ctx, { params, body }) =>
    commands.duplicateCampaign(ctx, hours, params.id, body.name),
  )
  serve(app, results.testCampaign, (ctx, { body }) => sendTest(ctx, app.config.publicUrl, body))
  serve(app, api.startCampaign, (ctx, { params }) => states.startCampaign(ctx, hours, params.id))
  serve(app, api.pauseCampaign, (ctx, { params }) => states.pauseCampaign(ctx, hours, params.id))
  serve(app, api.resumeCampaign, (ctx, { params }) => states.resumeCampaign(ctx, hours, params.id))
  serve(app, api.cancelCampaign, (ctx, { params }) => states.cancelCampaign(ctx, hours, params.id))
  serve(app, sends.settleSends, (ctx, { params, body }) => settleSends(ctx, hours, params.id, body))
  serve(app, sends.listSends, (ctx, { params, query }) => listSends(ctx, params.id, query))
  serveTable(app, sends.exportSends, async (ctx, { params: { id }, query: { lang, ...filters } }) => {
    await requireRow(ctx, id)
    const table = exportSends(ctx, id, filters, lang ?? ctx.actor.lang)
    return {
      list: 'campaign',
      filters: { campaignId: id, ...filters },
      name: `qatra-campaign-${bahrainDate(ctx.now)}`,
      table,
    }
  })
}
