/** Icons used by the simulated phone only. */
export { FileText as FileIcon, Image as ImageIcon, Mic as VoiceIcon, Video as VideoIcon } from 'lucide-react'
