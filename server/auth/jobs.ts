import { messagesThat } from '../channel/incoming.commands.ts'
import type { App } from '../http/runtime.ts'
import { runJobTransaction } from '../database/transaction.ts'
import { isProofTalk } from './proof-words.ts'
import { noteProof } from './proof-talk.commands.ts'
import { forgetOldSignIns } from './sessions.commands.ts'

export function authJobs(app: App) {
  app.queue.handle<{ messageId: number }>(
    'login-proof',
    {
      on: ['message.received'],
      wants: messagesThat(isProofTalk),
      isUrgent: true,
      retryLimit: 3,
      retryDelay: 2,
      expireInSeconds: 30,
    },
    ({ data }) => runJobTransaction(app.pool, (ctx) => noteProof(ctx, app, data.messageId)),
  )
  app.queue.handle('old-sign-ins', { every: '40 3 * * *' }, () => forgetOldSignIns(app))
}
