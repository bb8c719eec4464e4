import { type Entry } from '../rules/rule.js';

/** What runs, configures and breaks a system. */
export const system: readonly Entry[] = [
  {
    programs: 'systemctl',
    rule: {
      options: {
        ok: '-l --full -a --all -t: --type: --state: -p: --property: -P: --value --no-pager --no-legend --plain -q --quiet --user --system --failed -n: --lines: -o: --output: -r --recursive --reverse --after --before --show-types --no-ask-password --global --version -h --help -T --with-dependencies --legend: --now --runtime -f --force --no-block --wait --timestamp:',
        'net.send': '-H: --host: -M: --machine:',
        'env.inject': '--root: --image:',
      },
      bare: 'read',
      commands: {
        'status|show|cat|list-units|list-unit-files|list-sockets|list-timers|list-jobs|list-dependencies|list-machines|list-automounts|list-paths|is-active|is-enabled|is-failed|is-system-running|get-default|show-environment|help|whoami|list-mounts':
          'read',
        'start|stop|restart|reload|try-restart|reload-or-restart|enable|disable|reenable|preset|unmask|link|revert|edit|set-property|daemon-reload|daemon-reexec|reset-failed|kill|set-default|set-environment|unset-environment|import-environment|add-wants|add-requires|cancel|clean|freeze|thaw|bind|mount-image|service-log-level|service-log-target|log-level|log-target|preset-all|condrestart|try-reload-or-restart|soft-reboot-cancel':
          { does: 'infra.change', operands: 'data' },
        'mask|isolate|poweroff|reboot|halt|kexec|suspend|hibernate|hybrid-sleep|rescue|emergency|default|exit|switch-root|soft-reboot|sleep|suspend-then-hibernate':
          { does: 'destroy.system', operands: 'data' },
      },
    },
    examples: [
      ['safe', 'systemctl status nginx'],
      ['safe', 'systemctl --failed'],
      ['dangerous', 'systemctl restart x'],
      ['destructive', 'systemctl mask x'],
      ['destructive', 'systemctl poweroff'],
    ],
  },
  {
    programs: 'journalctl',
    rule: {
      options: {
        ok: '-u: --unit: --user-unit: -n? --lines? -f --follow -e --pager-end -r --reverse -x --catalog -b? --boot? -k --dmesg -p: --priority: -S: --since: -U: --until: -o: --output: --output-fields: -t: --identifier: -g: --grep: --case-sensitive? --list-boots --disk-usage --no-pager -q --quiet -a --all --utc --no-hostname --no-full -l --full -m --merge --system --user -M: --machine: -D: --directory: --file: -F: --field: -N --fields --header --verify --list-catalog --dump-catalog -c: --cursor: --after-cursor: --show-cursor -i: -T: --exclude-identifier: --facility: --truncate-newline --namespace: -W -h --help --version',
        'write.sensitive':
          '--vacuum-size? --vacuum-time? --vacuum-files? --rotate --flush --sync --relinquish-var --smart-relinquish-var --setup-keys --update-catalog --cursor-file:',
      },
    },
    examples: [
      ['safe', 'journalctl -u nginx -f -n 50'],
      ['dangerous', 'journalctl --vacuum-size=100M'],
      ['dangerous', 'journalctl --vacuum-size 100M'],
    ],
  },
  {
    programs: 'sysctl',
    rule: {
      handler: 'changesWith',
      options: {
        ok: '-a --all -n --values -N --names -e --ignore -b --binary -h -d -o -x -X -A -q --pattern: -r: -t',
        'write.sensitive': '-w --write -p? --load? --system -f',
      },
    },
    examples: [
      ['safe', 'sysctl -n kernel.version'],
      ['dangerous', 'sysctl kern.maxfiles=1'],
      ['dangerous', 'sysctl -w vm.swappiness=1'],
    ],
  },
  {
    programs:
      'loginctl hostnamectl timedatectl localectl networkctl resolvectl resolvconf busctl coredumpctl bootctl udevadm nmcli rfkill powerprofilesctl upower pactl amixer wpctl bluetoothctl iwconfig iw ethtool brctl bridge tc dhclient rc-service rc-update rc-status service chkconfig update-rc.d insserv initctl sv s6-rc svc runit supervisorctl pm2 forever monit nssm update-alternatives depmod dracut mkinitcpio grub-install update-grub locale-gen dpkg-reconfigure debconf-set-selections sysdig auditctl xset xrandr setxkbmap gsettings dconf xdg-mime xdg-settings loadkeys setfont setterm fc-cache ionotify inotifywait zfs zpool btrfs smartctl nvme edquota setquota lvcreate lvextend lvresize vgcreate pvcreate fail2ban-client',
    rule: {
      bare: 'read',
      verbs: {
        read: 'status show list list-* show-* get get-* info state is-* query dump check log version help search --status-all --version -l --list dev addr link properties device devices ruleset describe history iostat events sinks sources',
        change:
          'set set-* add create enable disable start stop restart reload up down connect disconnect modify attach detach mount unmount umount import export scan flush save load update write edit clone rename send receive snapshot rollback scrub trim replace online offline upgrade install resume pause reset reread reopen trigger settle control call kill terminate-* lock-* unlock-* activate con radio networking wifi qdisc route hold off on master apply reapply',
        destroy: 'delete remove del destroy purge wipe erase format nuke terminate poweroff reboot labelclear',
      },
    },
    examples: [
      ['safe', 'nmcli device'],
      ['safe', 'timedatectl status'],
      ['dangerous', 'service nginx stop'],
      ['dangerous', 'timedatectl set-time 2020-01-01'],
      ['destructive', 'zfs destroy tank/data'],
    ],
  },
  {
    programs:
      'mount umount swapon swapoff insmod rmmod modprobe losetup kexec setenforce ldconfig systemd-tmpfiles renice chrt-pid pkill killall skill snice pwait fuser wall write mesg logger readahead xkill launchd',
    rule: { does: 'proc.signal', constrain: 'exact', options: { ok: '-V --version -h --help' } },
    examples: [
      ['dangerous', 'pkill -f x'],
      ['dangerous', 'mount /dev/sdb1 /mnt'],
      ['safe', 'pkill --version'],
    ],
  },
  {
    programs: 'sync',
    rule: {},
    examples: [
      ['safe', 'sync'],
      ['dangerous', 'sync > a'],
    ],
  },
  {
    programs: 'lvs pvs vgs dumpe2fs xfs_info repquota quota ausearch aureport getsebool sestatus aa-status apparmor_status',
    rule: {},
    examples: [
      ['safe', 'lvs'],
      ['dangerous', 'lvs > out'],
    ],
  },
  {
    programs:
      'fdisk sfdisk cfdisk gdisk sgdisk parted gparted wipefs blkdiscard badblocks mkswap mke2fs mkdosfs mkntfs newfs partprobe flashrom fastboot hdparm cryptsetup zeroinit format diskpart lvremove vgremove pvremove lvreduce mdadm e2fsck fsck xfs_repair resize2fs debugfs tune2fs btrfstune mkfs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat mkfs.ntfs mkfs.f2fs mkfs.exfat mkfs.minix mkfs.cramfs mkfs.jfs mkfs.reiserfs mkfs.bfs newfs_hfs newfs_apfs newfs_msdos',
    rule: { does: 'write.device', why: 'rewrites disks and file systems' },
    examples: [
      ['destructive', 'mkfs.ext4 /dev/sda1'],
      ['destructive', 'fdisk /dev/sda'],
      ['destructive', 'wipefs -a /dev/sda'],
      ['safe', 'parted --version'],
    ],
  },
  {
    programs: 'reboot shutdown halt poweroff init telinit pm-suspend pm-hibernate systemd-halt bless nvram csrutil kextload kextunload',
    rule: { does: 'destroy.system', why: 'stops the system, or keeps it from starting as it did' },
    examples: [
      ['destructive', 'reboot'],
      ['destructive', 'shutdown -h now'],
      ['safe', 'shutdown --help'],
    ],
  },
  {
    programs: 'iptables ip6tables ebtables arptables nft ufw firewall-cmd pfctl iptables-restore ip6tables-restore ipfw ipset',
    rule: { handler: 'firewall' },
    examples: [
      ['safe', 'iptables -L -n'],
      ['safe', 'ufw status'],
      ['destructive', 'iptables -F'],
      ['destructive', 'ufw disable'],
    ],
  },
  {
    programs:
      'passwd chpasswd useradd userdel usermod groupadd groupdel groupmod adduser deluser addgroup delgroup gpasswd newusers chage chsh chfn visudo vipw vigr pwconv pwunconv grpconv setcap setuid sudoedit sudoreplay faillock pam_tally2 pam-auth-update sysadminctl dseditgroup pwpolicy createhomedir securetty restorecon chcon setfiles semanage setsebool apparmor_parser aa-complain aa-disable aa-enforce polkit pkaction authconfig realm adcli net-user icacls takeown cacls',
    rule: { does: 'privilege', why: 'changes who may do what' },
    examples: [
      ['destructive', 'passwd root'],
      ['destructive', 'useradd evil'],
      ['destructive', 'setcap cap_setuid+ep a'],
      ['safe', 'useradd --help'],
    ],
  },
];

/** Programs of macOS that show things in one form and change them in another. */
export const macos: readonly Entry[] = [
  {
    programs: 'defaults',
    rule: {
      commands: { 'read|read-type|domains|find|help': 'read', 'write|rename|delete|import|export': 'write.sensitive' },
      options: { ok: '-app: -currentHost -g -globalDomain -host:' },
      singleDash: true,
    },
    examples: [
      ['safe', 'defaults read com.apple.Finder'],
      ['dangerous', 'defaults write a b c'],
    ],
  },
  {
    programs: 'launchctl',
    rule: {
      commands: {
        'list|print|print-cache|print-disabled|blame|plist|procinfo|hostinfo|resolveport|dumpstate|dumpjpcategory|manageruid|managername|managerpid|version|variant|error|help|getenv|limit':
          { does: 'read', operands: 'data' },
        'load|unload|start|stop|enable|disable|bootstrap|bootout|kickstart|kill|remove|submit|setenv|unsetenv|config|attach|debug|asuser|bsexec|reboot|userswitch|examine|uncache|runstats':
          { does: 'write.sensitive', operands: 'data' },
      },
    },
    examples: [
      ['safe', 'launchctl list'],
      ['dangerous', 'launchctl load x.plist'],
    ],
  },
  {
    programs: 'diskutil',
    rule: {
      commands: {
        'list|info|information|activity|listFilesystems|listFilesystemPersonalities|verifyVolume|verifyDisk|listClients': 'read',
        'apfs|ap|coreStorage|cs|appleRAID|ar': {
          commands: { 'list|info|listUsers|listSnapshots|listCryptoUsers|listVolumeGroups|information': 'read' },
          does: 'write.device',
          operands: 'data',
        },
        'mount|mountDisk|unmount|umount|unmountDisk|eject|rename|repairPermissions|enableJournal|disableJournal|enableOwnership|disableOwnership|moveJournal|resetUserPermissions|updateDefaultsPermissions':
          { does: 'proc.signal', operands: 'data' },
        'eraseDisk|eraseVolume|reformat|eraseOptical|zeroDisk|randomDisk|secureErase|partitionDisk|resizeVolume|addPartition|splitPartition|mergePartitions|deleteVolume|image|repairVolume|repairDisk':
          { does: 'write.device', operands: 'data' },
      },
    },
    examples: [
      ['safe', 'diskutil list'],
      ['dangerous', 'diskutil eject disk1'],
      ['destructive', 'diskutil eraseDisk APFS x disk1'],
    ],
  },
  {
    programs:
      'tmutil hdiutil dscl security codesign spctl scutil profiles mdimport mdutil lipo plutil sips textutil qlmanage pkgutil xattr networksetup pmset say sample symbols open pbpaste pbcopy screencapture softwareupdate installer pkgbuild productbuild xcode-select xcodebuild xcrun simctl osacompile kmutil systemsetup scselect ioreg sharing cupsctl lpadmin binhex applesingle macbinary compression_tool PlistBuddy dns-sd dscacheutil fdesetup',
    rule: { handler: 'macos' },
    examples: [
      ['safe', 'tmutil listbackups'],
      ['safe', 'codesign -dv /path/to/app'],
      ['safe', 'plutil -p a.plist'],
      ['dangerous', 'tmutil delete -d /Volumes/x'],
      ['dangerous', 'security delete-keychain x'],
      ['dangerous', 'xattr -c a'],
      ['dangerous', 'open .'],
    ],
  },
];
