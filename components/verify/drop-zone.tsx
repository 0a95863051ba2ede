'use client';

import { useState } from 'react';

import { FilePick } from '@/components/ui/file-pick';
import { Icon } from '@/components/ui/icon';

interface DropZoneProps {
  readonly onFile: (file: File) => void;
  /** Only a line, once a file was checked. */
  readonly small: boolean;
}

/** Takes a bundle: dropped, or chosen with the browser's own dialog. */
export function DropZone({ onFile, small }: DropZoneProps) {
  const [over, setOver] = useState(false);
  return (
    <div
      className={small ? 'drop drop-s' : 'drop'}
      data-over={over}
      onDragOver={(event) => { event.preventDefault(); setOver(true); }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const file = event.dataTransfer.files[0];
        if (file) onFile(file);
      }}
    >
      <Icon name="receipts" />
      <p>{small ? 'Drop another bundle here, or' : <><b>Drop a bundle here</b><br /><span className="t2">as <code>countersign export</code> or the receipts page wrote it, up to 256 MB</span></>}</p>
      <FilePick label={small ? 'choose one' : 'Choose a file'} accept=".json,.bundle,application/json" onPick={onFile} />
    </div>
  );
}
