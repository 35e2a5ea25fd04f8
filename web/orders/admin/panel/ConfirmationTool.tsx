import { getConfirmation, sendConfirmation } from '@qatra/contract/orders/confirmation'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call, read } from '../../../lib/api-client.ts'
import { useT } from '../../../lib/language/i18n.tsx'
import { ownRefusalText, refusalText } from '../../../lib/refusal.ts'
import { useAction } from '../../../lib/use-action.ts'
import { ToolbarButton } from '../../../ui/admin/ToolbarButton.tsx'
import { SendIcon } from '../../../ui/icons.tsx'
import { timelineQuery } from '../order-cache.ts'

const ASK_AGAIN_MS = 2_000
const ASKED_FOR_MS = 30_000

/** Sends the order confirmation and shows its delivery state. */
export function ConfirmationTool({ id }: { id: string }) {
  const t = useT()
  const queries = useQueryClient()
  const [sentAt, setSentAt] = useState<number | null>(null)
  const { busy, problem, run } = useAction(
    (error) => ownRefusalText(t, error, 'desk.confirm') ?? refusalText(t, error, 'desk'),
  )
  const { data } = useQuery({
    ...read(getConfirmation, { params: { id } }),
    enabled: sentAt !== null,
    staleTime: 0,
    // Poll until delivered or failed, with a limit.
    refetchInterval: ({ state }) =>
      Date.now() - (sentAt ?? 0) < ASKED_FOR_MS && ['queued', 'sent'].includes(state.data?.status ?? 'queued')
        ? ASK_AGAIN_MS
        : false,
  })
  const state = sentAt === null || data?.status === 'none' ? null : (data?.status ?? 'queued')

  const send = () =>
    run(async () => {
      await call(sendConfirmation, { params: { id } })
      setSentAt(Date.now())
      void queries.invalidateQueries({ queryKey: read(getConfirmation, { params: { id } }).queryKey })
      void queries.invalidateQueries({ queryKey: timelineQuery(id).queryKey })
    })

  return (
    <>
      <ToolbarButton icon={SendIcon} aria-busy={busy || undefined} onClick={() => busy || void send()}>
        {t('desk.tool.confirm')}
      </ToolbarButton>
      <p
        role="status"
        className={
          problem || state === 'failed'
            ? 'order-last basis-full text-clay'
            : 'order-last basis-full text-ink-2 empty:hidden'
        }
      >
        {problem ??
          (state === 'failed'
            ? t('desk.confirm.failed', { problem: data?.problem ?? t('desk.confirm.unknown') })
            : state && t(`desk.confirm.${state as 'queued' | 'sent' | 'delivered' | 'read'}`))}
      </p>
    </>
  )
}
