import { Link } from '@tanstack/react-router'
import { useT } from '../../lib/language/i18n.tsx'
import { toolbarButtonClass } from '../../ui/admin/ToolbarButton.tsx'
import { StartIcon } from '../../ui/icons.tsx'

export function BackLink() {
  const t = useT()
  return (
    <Link to="/admin/products" className={toolbarButtonClass()}>
      <StartIcon size={16} aria-hidden="true" className="text-ink-3" />
      {t('adminProducts.back')}
    </Link>
  )
}
