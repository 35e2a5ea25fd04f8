import * as api from '@qatra/contract/whatsapp/bot'
import type { ReferenceData } from '../../database/reference-data.ts'
import type { App } from '../../http/runtime.ts'
import { serve } from '../../http/serve.ts'
import { readModelUse } from '../../providers/models/models.commands.ts'
import { createAlias, deleteAlias } from './aliases.commands.ts'
import { changeAnswer, createAnswer, resetAnswer } from './answers.commands.ts'
import { dismissMiss } from './misses.commands.ts'
import { listAliases, listAnswers, listMisses, listTargets } from './queries.ts'
import type { KnownShop } from './snapshot.queries.ts'

export function botKnowledgeRoutes(
  app: App,
  shop: () => KnownShop,
  { reload: renew }: Pick<ReferenceData<unknown>, 'reload'>,
) {
  serve(app, api.listBotAnswers, async (ctx) => ({
    ...(await listAnswers(ctx, shop())),
    models: await readModelUse(ctx, app.config.models),
  }))
  serve(app, api.createBotAnswer, (ctx, { body }) => createAnswer(ctx, shop(), body), { renew })
  serve(app, api.changeBotAnswer, (ctx, { params, body }) => changeAnswer(ctx, shop(), params.key, body), { renew })
  serve(app, api.resetBotAnswer, (ctx, { params, query }) => resetAnswer(ctx, shop(), params.key, query.version), {
    renew,
  })
  serve(app, api.listAliasTargets, (ctx) => listTargets(ctx, shop()))
  serve(app, api.listBotAliases, (ctx, { query }) => listAliases(ctx, query))
  serve(app, api.createBotAlias, (ctx, { body }) => createAlias(ctx, shop(), body), { renew })
  serve(app, api.deleteBotAlias, (ctx, { params }) => deleteAlias(ctx, params.id), { renew })
  serve(app, api.listBotMisses, (ctx, { query }) => listMisses(ctx, query))
  serve(app, api.dismissBotMiss, (ctx, { body }) => dismissMiss(ctx, body.key, 'dismissed'))
  serve(app, api.restoreBotMiss, (ctx, { body }) => dismissMiss(ctx, body.key, null))
}
