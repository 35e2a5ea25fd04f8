import { useEffect, useRef, useState } from 'react'
import { useConnection } from '../../../lib/connection.ts'
import { useT } from '../../../lib/language/i18n.tsx'
import { ToolbarButton } from '../../../ui/admin/ToolbarButton.tsx'
import { TextArea } from '../../../ui/Field.tsx'
import { PlusIcon } from '../../../ui/icons.tsx'
import type { OrderActions } from '../use-order-actions.ts'

/** Internal note. Keeps unsaved text. */
export function NoteTool({ actions }: { actions: OrderActions }) {
  const t = useT()
  const [text, setText] = useState<string | null>(null)
  const { isOnline } = useConnection()
  const field = useRef<HTMLTextAreaElement>(null)
  const isOpen = text !== null
  useEffect(() => {
    if (isOpen) field.current?.focus()
  }, [isOpen])
  if (text === null) {
    return (
      <div>
        <ToolbarButton icon={PlusIcon} onClick={() => setText('')}>
          {t('desk.tool.note')}
        </ToolbarButton>
      </div>
    )
  }
  return (
    <form
      className="grid gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (isOnline && text.trim() !== '') void actions.note(text.trim()).then((isSaved) => isSaved && setText(null))
      }}
    >
      <TextArea
        ref={field}
        label={t('desk.note.label')}
        rows={3}
        maxLength={1000}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {!isOnline && (
        <p role="status" className="text-clay">
          {t('admin.form.error.OFFLINE')}
        </p>
      )}
      <div className="flex gap-2">
        <ToolbarButton
          type="submit"
          chosen
          aria-disabled={!isOnline || undefined}
          aria-busy={actions.busy === 'note' || undefined}
        >
          {t('desk.note.save')}
        </ToolbarButton>
        <ToolbarButton onClick={() => setText(null)}>{t('admin.cancel')}</ToolbarButton>
      </div>
    </form>
  )
}
