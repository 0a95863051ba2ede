import type { ProgramFact } from './action';
import type { Effect } from './catalogue';
import { guessQuery } from './guess-query';

/** What well-known programs do beside running; the first words of their line decide. A list that is not whole: running itself is high already. */
const lines: readonly (readonly [Effect, RegExp])[] = [
  ['destructive', /^(?:rm|rmdir|unlink|shred|srm|wipe|wipefs|mkfs(?:\.\w+)?|fdisk|parted|dd|truncate|dropdb|dropuser|userdel|groupdel|reboot|shutdown|poweroff|halt|kill|killall|pkill|del|erase|Remove-Item|format)\b/i],
  ['destructive', /^git (?:clean|reset --hard|reset --merge|rm|prune|gc|branch (?:-\w*D|--delete)|push .*(?:-f\b|--force|--delete|--mirror| :|\s\+)|checkout (?:--|\.|-f)|restore|stash (?:drop|clear)|reflog (?:expire|delete)|update-ref -d|tag -d|worktree remove)/],
  ['destructive', /^(?:docker|podman|nerdctl) (?:(?:container|image|volume|network|system|builder) )?(?:rm|rmi|prune|kill|stop|down)\b|^docker compose (?:down|rm|kill)\b/],
  ['destructive', /^(?:kubectl|oc) (?:delete|drain|replace)\b|^helm (?:uninstall|delete|rollback)\b|^terraform (?:destroy|apply|state rm)\b|^(?:aws|az|gcloud) .*\b(?:delete|terminate|destroy|rm|remove|purge)\b|^gh .*\bdelete\b|^gh api .*-X ?(?:DELETE|PUT|PATCH|POST)|^systemctl (?:stop|disable|mask|poweroff|reboot)\b/],
  ['communicate', /^(?:curl|wget|aria2c|http|https|xh|nc|ncat|netcat|socat|telnet|ftp|sftp|scp|rsync .*:|ssh|mosh|mail|mailx|mutt|sendmail|msmtp|swaks|rclone|croc|wormhole|tftp|lftp|smbclient|nslookup|dig|host|drill|ping|Invoke-WebRequest|Invoke-RestMethod|iwr|irm)\b/i],
  ['communicate', /^git (?:push|fetch|pull|clone|ls-remote|send-email|remote (?:update|show)|submodule (?:update|add))\b|^(?:docker|podman|helm) push\b|^(?:npm|pnpm|yarn|bun) publish\b|^(?:cargo|gem|poetry|twine|uv|flit) (?:publish|push|upload)\b|^gh (?:api|pr|issue|release|gist|repo|workflow|run)\b|^(?:aws|az|gcloud|gsutil|s3cmd)\b|^openssl s_client\b/],
  ['grant', /^(?:useradd|adduser|usermod|groupadd|gpasswd|passwd|chpasswd|visudo|setcap|setfacl|ssh-copy-id|authselect|createuser|htpasswd)\b|^chmod (?:-\w+ )*(?:[0-7]{2}[2367]|[0-7]{3}[2367]|[2-7][0-7]{3}|[ugoa]*\+\w*s\w*|(?:[ug]*[ao][ugoa]*)?\+\w*w\w*)\b|^(?:aws iam|gcloud .*add-iam-policy-binding|az role assignment)\b|^kubectl (?:create (?:cluster)?rolebinding|certificate approve)\b|^gh (?:secret|ssh-key|auth|repo add-collaborator)\b/],
];

const databaseClients = /^(?:psql|mysql|mariadb|sqlite3|sqlplus|sqlcmd|mongosh?|cqlsh|clickhouse-client|duckdb)$/;

export function effectsOfPrograms(programs: readonly ProgramFact[]): ReadonlySet<Effect> {
  const found = new Set<Effect>();
  for (const { name, arguments: words } of programs) {
    const line = [name.slice(name.lastIndexOf('/') + 1), ...words].join(' ').slice(0, longestLine);
    for (const [effect, pattern] of lines) if (pattern.test(line)) found.add(effect);
    if (databaseClients.test(name)) for (const word of words) if (/\s/.test(word)) found.add(guessQuery(word).effect);
  }
  found.delete('read');
  return found;
}

const longestLine = 2_000;
