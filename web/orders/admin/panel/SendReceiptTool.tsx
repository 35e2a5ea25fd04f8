import { sendReceipt } from '@qatra/contract/orders/receipts'
import { useState } from 'react'
import { call } from '../../../lib/api-client.ts'
import { useT } from '../../../lib/language/i18n.tsx'
import { refusalText } from '../../../lib/refusal.ts'
import { useAction } from '../../../lib/use-action.ts'
import { ToolbarButton } from '../../../ui/admin/ToolbarButton.tsx'
import { SendIcon } from '../../../ui/icons.tsx'

/** Sends the receipt of a delivered order to the customer's WhatsApp, as a PDF. */
export function SendReceiptTool({ id }: { id: string }) {
  const t = useT()
  const [isSent, setSent] = useState(false)
  const { busy, problem, run } = useAction((error) => refusalText(t, error, 'desk'))
  const send = () =>
    run(async () => {
      setSent(false)
      await call(sendReceipt, { params: { id } })
      setSent(true)
    })
  return (
    <>
      <ToolbarButton icon={SendIcon} aria-busy={busy || undefined} onClick={() => busy || void send()}>
        {t('desk.tool.sendReceipt')}
      </ToolbarButton>
      <p
        role="status"
        className={problem ? 'order-last basis-full text-clay' : 'order-last basis-full text-ink-2 empty:hidden'}
      >
        {problem ?? (isSent ? t('desk.receipt.sent') : null)}
      </p>
    </>
  )
}
