import { formatDateTime } from '@qatra/contract/calendar/calendar'
import { addCustomerNote, type CustomerDetail, removeCustomerNote } from '@qatra/contract/users/customers'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api-client.ts'
import { useLanguage } from '../../lib/language/i18n.tsx'
import { refusalText } from '../../lib/refusal.ts'
import { useAction } from '../../lib/use-action.ts'
import { Form } from '../../ui/admin/form/Form.tsx'
import { useForm } from '../../ui/admin/form/use-form.ts'
import { Button } from '../../ui/Button.tsx'
import { classes } from '../../ui/class-names.ts'
import { TextArea } from '../../ui/Field.tsx'
import { useVendorNames } from '../../users/admin/person-cache.ts'
import { cacheCustomer } from './customer-cache.ts'

/** Notes of staff, newest first; struck-out notes remain readable. */
export function Notes({ customer, showsVendor }: { customer: CustomerDetail; showsVendor: boolean }) {
  const { t, lang } = useLanguage()
  const queries = useQueryClient()
  const { nameOf } = useVendorNames()
  const { problem, run } = useAction((error) => refusalText(t, error, 'customers'))
  const id = String(customer.id)
  const form = useForm({
    body: addCustomerNote.body,
    start: { body: '' },
    toBody: (values) => values,
    send: (body) => call(addCustomerNote, { params: { id }, body }),
    onSaved: (after) => {
      cacheCustomer(queries, after)
      form.reset({ body: '' })
    },
    failureOf: (error) => refusalText(t, error, 'customers'),
  })
  const strikeOut = (noteId: number) =>
    run(async () => cacheCustomer(queries, await call(removeCustomerNote, { params: { id, noteId: String(noteId) } })))
  return (
    <>
      <ul className="grid gap-3">
        {customer.notes.map((note) => (
          <li key={note.id}>
            <p dir="auto" className={classes('whitespace-pre-line', note.removedAt && 'text-ink-3 line-through')}>
              {note.body}
            </p>
            <p className="flex flex-wrap items-baseline gap-x-3 text-caption text-ink-3">
              <span>
                {t('customers.by', {
                  name: note.by?.name ?? '—',
                  time: formatDateTime(new Date(note.createdAt), lang),
                })}
                {showsVendor && ` · ${note.vendorId === null ? t('customers.notes.market') : nameOf(note.vendorId)}`}
                {note.removedAt && ` · ${t('customers.notes.removed', { name: note.removedBy?.name ?? '—' })}`}
              </span>
              {customer.can.write && !note.removedAt && (
                <button
                  type="button"
                  className="min-h-6 text-aqua-ink hover:underline max-md:min-h-tap"
                  onClick={() => void strikeOut(note.id)}
                >
                  {t('customers.notes.remove')}
                </button>
              )}
            </p>
          </li>
        ))}
      </ul>
      {problem && (
        <p role="alert" className="mt-2 text-clay">
          {problem}
        </p>
      )}
      {customer.can.write && (
        <Form form={form} className="mt-3">
          <TextArea
            label={t('customers.notes.new')}
            hint={t('customers.notes.hint')}
            dir="auto"
            rows={2}
            maxLength={1000}
            {...form.text('body')}
          />
          <Button type="submit" tone="quiet" size="small" busy={form.busy} className="justify-self-start">
            {t('customers.notes.add')}
          </Button>
        </Form>
      )}
    </>
  )
}
