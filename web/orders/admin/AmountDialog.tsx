import { isWholeFils } from '@qatra/contract/lib/money'
import type { ComponentProps, ReactNode } from 'react'
import { useT } from '../../lib/language/i18n.tsx'
import { Form } from '../../ui/admin/form/Form.tsx'
import { MoneyField } from '../../ui/admin/form/fields.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { TextField } from '../../ui/Field.tsx'
import type { FormState } from '../../ui/form/use-form.ts'

/** An amount that can be received, paid back or written off. */
export const isAmount = (amount: number | null): amount is number =>
  amount !== null && isWholeFils(amount) && amount > 0

/** The reasons that lists of corrections show are not a single letter. */
export const isReason = (text: string): boolean => text.trim().length >= 3

interface AmountDialogProps {
  form: FormState & { submit(): Promise<void> }
  title: string
  text: ReactNode
  /** Label of the button. */
  save: string
  tone?: 'gulf' | 'danger'
  /** Missing: it is not a question. */
  amount?: ComponentProps<typeof MoneyField>
  /** What follows from the amount. */
  effect?: ReactNode
  reason?: ComponentProps<typeof TextField> | false
  /** Fields between amount and reason. */
  children?: ReactNode
  onClose(): void
}

/** Form for an amount of money with its reason. The first field that is to be filled in has the focus. */
export function AmountDialog(props: AmountDialogProps) {
  const { form, title, text, save, tone = 'gulf', amount, effect, reason, children, onClose } = props
  const t = useT()
  const asksAmount = amount?.value === null
  return (
    <Dialog
      open
      className="admin max-w-110"
      title={title}
      safe={{ label: t('admin.cancel'), onChoose: onClose }}
      action={{ label: save, tone, busy: form.busy, onChoose: () => void form.submit() }}
    >
      <Form form={form} className="text-start">
        <div>{text}</div>
        {amount && (
          <div {...(asksAmount ? { 'data-first': '' } : {})}>
            <MoneyField {...amount} />
            {effect !== undefined && (
              <p role="status" className="mt-1.5 min-h-6 text-ink">
                {effect}
              </p>
            )}
          </div>
        )}
        <div className="contents" {...(asksAmount ? {} : { 'data-first': '' })}>
          {children}
          {reason && <TextField maxLength={500} {...reason} />}
        </div>
      </Form>
    </Dialog>
  )
}
