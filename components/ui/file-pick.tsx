'use client';

interface FilePickProps {
  /** What it says: "Load a file". */
  readonly label: string;
  readonly accept: string;
  readonly onPick: (file: File) => void;
}

/** Opens the browser's own file dialog; looks like a link. The same file can be picked twice. */
export function FilePick({ label, accept, onPick }: FilePickProps) {
  return (
    <label className="link">
      {label}
      <input
        className="vh" type="file" accept={accept}
        onChange={(event) => {
          const file = event.target.files?.[0];
          event.target.value = '';
          if (file) onPick(file);
        }}
      />
    </label>
  );
}
