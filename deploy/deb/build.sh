#!/bin/sh
# Makes dist/farthing_VERSION_ARCH.deb from the wheel in dist/ and the locked dependencies: deploy/deb/build.sh PYTHON
# PYTHON has pip, and is of the version that the package will run with.
set -eu
umask 022
python=$1
cd "$(dirname "$0")/../.."
version=$("$python" -c 'import re; print(re.search("\"(.+)\"", open("src/farthing/__init__.py").read().split("__version__")[1])[1])')
minor=$("$python" -c 'import sys; print(sys.version_info.minor)')
arch=$(dpkg --print-architecture)
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
chmod 755 "$root"

lib=$root/usr/lib/farthing
"$python" -m pip install -qq --no-compile --only-binary :all: --require-hashes --target "$lib" -r deploy/requirements.txt
"$python" -m pip install -qq --no-compile --no-deps --target "$lib" dist/farthing-*.whl
rm -rf "$lib/bin"
install -D -m 755 deploy/deb/farthing "$root/usr/bin/farthing"

farthing() { PYTHONPATH=$lib "$python" -B -m farthing "$@"; }
farthing man "$root/usr/share/man/man1" > /dev/null
gzip -9n "$root"/usr/share/man/man1/*.1
mkdir -p "$root/usr/share/bash-completion/completions" "$root/usr/share/zsh/vendor-completions" "$root/usr/share/fish/vendor_completions.d"
farthing completion bash > "$root/usr/share/bash-completion/completions/farthing"
farthing completion zsh > "$root/usr/share/zsh/vendor-completions/_farthing"
farthing completion fish > "$root/usr/share/fish/vendor_completions.d/farthing.fish"
mkdir -p "$root/lib/systemd/system"
sed 's|{program}|/usr/bin/farthing|; /install-service/d' src/farthing/cli/setup/farthing.service > "$root/lib/systemd/system/farthing.service"
install -D -m 644 LICENSE "$root/usr/share/doc/farthing/copyright"
install -D -m 640 deploy/deb/farthing.env "$root/etc/farthing/farthing.env"

mkdir "$root/DEBIAN"
install -m 755 deploy/deb/postinst deploy/deb/prerm deploy/deb/postrm "$root/DEBIAN/"
echo /etc/farthing/farthing.env > "$root/DEBIAN/conffiles"
cat > "$root/DEBIAN/control" <<CONTROL
Package: farthing
Version: $version
Architecture: $arch
Maintainer: The Farthing contributors
Installed-Size: $(du -sk "$root" | cut -f1)
Depends: python3 (>= 3.$minor), python3 (<< 3.$((minor + 1)))
Section: web
Priority: optional
Description: self-hosted personal finance
 An exact double-entry ledger behind an HTTP JSON API, with a web app.
CONTROL
dpkg-deb --build --root-owner-group -Zgzip "$root" "dist/farthing_${version}_${arch}.deb"
